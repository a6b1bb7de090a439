"""What speaks for and against a message answering an earlier one, as names with amounts. The weights are in weights.json."""

from bisect import bisect_left

from extraction.chat.reply_links.traits import Traits
from extraction.chat.reply_links.window import Window

Features = list[tuple[str, float]]

_DISTANCES = (1, 2, 3, 4, 6, 10, 15, 25, 40, 70)
_GAPS = (60, 120, 300, 600, 1800, 3600)  # seconds
_RARE = 2.0
_LONG = 12


def candidates(message: Traits, window: Window) -> list[Features]:
    """The features of each message of the window, oldest first, and last those of answering nobody."""
    return Comparison(message, window).all()


class Comparison:
    """One message against the window before it: what holds for all candidates is reckoned once."""

    def __init__(self, message: Traits, window: Window) -> None:
        self.message, self.window = message, window
        self.before = list(window)
        self.to = window.addressed(message)
        self.named = window.mentioned(message)
        self.targets = [window.addressed(one) for one in self.before]
        self.rare = {word: rareness for word in message.words if (rareness := window.rareness(word)) > _RARE}
        self._look_back()

    def _look_back(self) -> None:
        """Who spoke to whom last, and the place of each line among its sender's lines, counted from the newest."""
        me = self.message.who
        self.nth: list[int] = [0] * len(self.before)
        counts: dict[str, int] = {}
        self.mine = -1
        self.to_me = self.by_me = ""
        # Lines since which somebody turned to the sender of a line: what was asked there may be settled.
        self.answered: list[bool] = [False] * len(self.before)
        spoken_to: set[str] = set()
        for at in range(len(self.before) - 1, -1, -1):
            one = self.before[at]
            self.nth[at] = counts.get(one.who, 0)
            counts[one.who] = self.nth[at] + 1
            self.answered[at] = one.who in spoken_to
            if self.targets[at]:
                spoken_to.add(self.targets[at])
            if one.who == me:
                self.mine = max(self.mine, at)
                self.by_me = self.by_me or self.targets[at].strip("?")
            elif self.targets[at] == me:
                self.to_me = self.to_me or one.who
        self.lines_of_me = counts.get(me, 0)

    def all(self) -> list[Features]:
        size = len(self.before)
        return [self._pair(at, size - at) for at in range(size)] + [self._alone()]

    def _pair(self, at: int, distance: int) -> Features:
        message, one = self.message, self.before[at]
        near = bisect_left(_DISTANCES, distance)
        found: Features = [(f"distance {near}", 1.0)]
        if not one.who:
            found.append(("system", 1.0))
            return found
        same = one.who == message.who
        towards = self._towards(one.who)
        back = self._back(at, one)
        order = min(self.nth[at], 3)
        relation = f"{'own' if same else towards} {back}"
        reach = 0 if distance <= 2 else 1 if distance <= 6 else 2 if distance <= 15 else 3 if distance <= 40 else 4
        found += [
            (relation, 1.0),
            (f"{relation} nth {order}", 1.0),
            (f"{relation} reach {reach}", 1.0),
        ]
        gap = self._gap(one)
        if gap is not None:
            found.append((f"gap {gap}", 1.0))
            if same:
                found.append((f"own gap {gap}", 1.0))
        if same:
            self._own(at, distance, found)
        else:
            self._other(at, one, towards, found)
        self._words(one, same, found)
        return found

    def _towards(self, who: str) -> str:
        if self.to:
            return "to" if self.to == who else "to other"
        if who in self.named:
            return "names"
        return "names other" if self.named else "open"

    def _back(self, at: int, one: Traits) -> str:
        target = self.targets[at]
        if target:
            return "from me" if target == self.message.who else "same" if target == self.to else "elsewhere"
        return "from me" if self.message.who in self.window.mentioned(one) else "plain"

    def _gap(self, one: Traits) -> int | None:
        if self.message.at is None or one.at is None:
            return None
        return bisect_left(_GAPS, self.message.at - one.at)

    def _own(self, at: int, distance: int, found: Features) -> None:
        message, one = self.message, self.before[at]
        others = (
            any(self.before[later].who != message.who for later in range(at + 1, len(self.before)))
            if distance < 4
            else True
        )
        if not others:
            found.append(("own unbroken", 1.0))
            if message.continues:
                found.append(("own continues", 1.0))
            if one.length <= 3 and not one.greeting:
                found.append(("own after short", 1.0))
            if one.greeting:
                found.append(("own after greeting", 1.0))
        if self.targets[at] and not self.to:
            found.append(("own went on from", 1.0))
        if message.question and one.question:
            found.append(("own asks again", 1.0))
        if message.yes_no or message.thanks:
            found.append(("own but answers", 1.0))

    def _other(self, at: int, one: Traits, towards: str, found: Features) -> None:
        message = self.message
        asked = one.question or one.asks
        if self.nth[at] == 0:
            found.append(("their last", 1.0))
        if at > self.mine >= 0:
            found.append(("since mine", 1.0))
        if one.who == self.to_me:
            found.append(("spoke to me last", 1.0))
        if one.who == self.by_me:
            found.append(("I spoke to last", 1.0))
        if asked:
            found.append(("asked", 1.0))
            found.append(("asked, answered since" if self.answered[at] else "asked, open", 1.0))
            if message.yes_no:
                found.append(("asked, yes or no", 1.0))
            if not message.question and towards != "to other":
                found.append(("asked, told", 1.0))
        elif message.question:
            found.append(("told, asked", 1.0))
        elif message.yes_no:
            found.append(("told, yes or no", 1.0))
        for name in ("greeting", "thanks", "laugh", "command"):
            mine, theirs = getattr(message, name), getattr(one, name)
            if mine and theirs:
                found.append((f"{name} both", 1.0))
            elif theirs:
                found.append((f"{name} theirs", 1.0))
        if one.command:
            found.append((f"command nth {min(len(self.before) - at, 3)}", 1.0))
        if message.thanks:
            target = self.targets[at]
            found.append((f"thanks {'me' if target == message.who else 'other' if target else 'open'}", 1.0))
        if one.length >= _LONG:
            found.append(("long theirs", 1.0))
        elif one.length <= 2:
            found.append(("short theirs", 1.0))

    def _words(self, one: Traits, same: bool, found: Features) -> None:
        shared = [self.rare[word] for word in self.rare.keys() & one.words]
        if shared:
            whose = "own" if same else "their"
            found.append((f"{whose} words", min(sum(shared), 15.0) / 5))
            found.append((f"{whose} rarest", max(shared) / 4))

    def _alone(self) -> Features:
        message = self.message
        found: Features = [("alone", 1.0)]
        if not message.who:
            return [("alone system", 1.0)]
        spoke = "new" if self.lines_of_me == 0 else "once" if self.lines_of_me == 1 else "often"
        whom = "to" if self.to and self.to != "?" else "to ?" if self.to else "names" if self.named else "open"
        found += [(f"alone {spoke}", 1.0), (f"alone {whom}", 1.0), (f"alone {spoke} {whom}", 1.0)]
        for name in ("question", "asks", "greeting", "thanks", "yes_no", "laugh", "continues", "command", "url"):
            if getattr(message, name):
                found.append((f"alone {name}", 1.0))
                if whom == "open":
                    found.append((f"alone open {name}", 1.0))
        if spoke == "new" and (message.question or message.asks or message.greeting):
            found.append(("alone new asks", 1.0))
        if message.length >= _LONG:
            found.append(("alone long", 1.0))
        elif message.length <= 3:
            found.append(("alone short", 1.0))
        if self.mine >= 0:
            away = bisect_left(_DISTANCES, len(self.before) - self.mine)
            found.append((f"alone since mine {away}", 1.0))
        if self.to_me:
            found.append(("alone but spoken to", 1.0))
        return found
