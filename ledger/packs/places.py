"""On which line each thing of a TOML file stands. `tomllib` reads the values but keeps no places."""

import re
import tomllib

type Path = tuple[str | int, ...]

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SPACE = re.compile(r"[ \t]*")
_BETWEEN = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_TOKEN = re.compile(r"[^\s,\]}#]+(?: [0-9][^\s,\]}#]*)?")
# Of a text in three quotes, up to five of them may end it: two are its own.
_TEXTS = {
    '"""': re.compile(r'"""(?s:\\.|[^\\])*?"{3,5}(?!")'),
    "'''": re.compile(r"'''(?s:.)*?'{3,5}(?!')"),
    '"': re.compile(r'"(?:\\.|[^"\\\n])*"'),
    "'": re.compile(r"'[^'\n]*'"),
}


def lines_of(text: str) -> dict[Path, int]:
    """The line (from 1) of every key, table and list item of a TOML file that `tomllib` has read, by its path there:
    `("keys", "list", 2, "unit")`. A value's line is where it begins; a table's is its header's, or its first mention's."""
    reader = _Reader(text.replace("\r\n", "\n"))
    reader.file()
    return reader.lines


def line_of(lines: dict[Path, int], path: Path) -> int:
    """The line of `path`, or of the nearest thing around it that the file names."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.at, self.line, self._counted = text, 0, 1, 0
        self.lines: dict[Path, int] = {}
        # How many rows each [[list of tables]] has so far.
        self.rows: dict[Path, int] = {}

    def file(self) -> None:
        table: Path = ()
        self.skip(_BETWEEN)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)
            self.skip(_BETWEEN)

    def skip(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        if found is None:
            raise ValueError(f"line {self.here()}: not read")
        self.at = found.end()
        return found[0]

    def here(self) -> int:
        self.line += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        return self.line

    def note(self, path: Path, line: int) -> None:
        self.lines.setdefault(path, line)

    def header(self) -> Path:
        line, many = self.here(), self.text.startswith("[[", self.at)
        self.at += 1 + many
        names = self.dotted()
        self.at += 1 + many
        path: Path = ()
        for name in names[:-1]:
            path = (*path, name)
            self.note(path, line)
            if path in self.rows:
                path = (*path, self.rows[path] - 1)
        path = (*path, names[-1])
        self.note(path, line)
        if many:
            self.rows[path] = self.rows.get(path, 0) + 1
            path = (*path, self.rows[path] - 1)
        # A header counts for its table even where an earlier one mentioned it on the way to another.
        self.lines[path] = line
        return path

    def dotted(self) -> list[str]:
        names = []
        while True:
            self.skip(_SPACE)
            quote = self.text[self.at]
            if quote in _TEXTS:
                token = self.skip(_TEXTS[quote])
                names.append(tomllib.loads(f"x = {token}")["x"])
            else:
                names.append(self.skip(_BARE))
            self.skip(_SPACE)
            if not self.text.startswith(".", self.at):
                return names
            self.at += 1

    def pair(self, table: Path) -> None:
        line = self.here()
        path = table
        for name in self.dotted():
            path = (*path, name)
            self.note(path, line)
        self.at += 1
        self.skip(_SPACE)
        self.value(path)

    def value(self, path: Path) -> None:
        self.note(path, self.here())
        start = self.text[self.at : self.at + 3]
        if start[:1] == "[":
            self.several(path, "]")
        elif start[:1] == "{":
            self.several(path, "}")
        else:
            self.skip(_TEXTS.get(start) or _TEXTS.get(start[:1]) or _TOKEN)

    def several(self, path: Path, end: str) -> None:
        """The items of a list or the pairs of a table in one line."""
        self.at += 1
        number = 0
        while True:
            self.skip(_BETWEEN)
            if self.text.startswith(end, self.at):
                self.at += 1
                return
            if end == "]":
                self.value((*path, number))
                number += 1
            else:
                self.pair(path)
            self.skip(_BETWEEN)
            if self.text.startswith(",", self.at):
                self.at += 1
