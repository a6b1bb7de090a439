"""A browser without JavaScript: it opens pages, fills in forms and presses buttons."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

VOID = {"input", "br", "img", "meta", "link", "hr"}


@dataclass
class Form:
    action: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    buttons: list[dict[str, str]] = field(default_factory=list)


class Page(HTMLParser):
    """What a page offers: its forms as a browser would send them, the attributes of its elements, its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self._form: Form | None = None
        self._select: dict[str, object] | None = None
        self._area: tuple[Form, str] | None = None
        self._first_of_area = False
        self._template = 0
        self.feed(html)

    def handle_starttag(self, tag: str, pairs: list[tuple[str, str | None]]) -> None:
        attrs = {name: value or "" for name, value in pairs}
        if tag == "template":
            self._template += 1
        if self._template:
            return
        self.elements.append((tag, attrs))
        name = attrs.get("name", "")
        if tag == "form":
            self._form = Form(attrs.get("action", ""))
            self.forms.append(self._form)
        elif self._form is None:
            return
        elif tag == "input" and name:
            if attrs.get("type") not in ("checkbox", "radio") or "checked" in attrs:
                self._form.fields.setdefault(name, []).append(attrs.get("value", ""))
        elif tag == "button":
            self._form.buttons.append(attrs)
        elif tag == "select":
            self._select = {"name": name, "first": None, "chosen": [], "multiple": "multiple" in attrs}
        elif tag == "option" and self._select is not None:
            self._select["first"] = attrs.get("value") if self._select["first"] is None else self._select["first"]
            if "selected" in attrs:
                self._select["chosen"].append(attrs.get("value", ""))  # type: ignore[attr-defined]
        elif tag == "textarea":
            self._area, self._first_of_area = (self._form, name), True
            self._form.fields[name] = [""]

    def handle_endtag(self, tag: str) -> None:
        if tag == "template":
            self._template -= 1
        elif tag == "form":
            self._form = None
        elif tag == "select" and self._select is not None and self._form is not None:
            chosen = self._select["chosen"] or ([] if self._select["multiple"] else [self._select["first"] or ""])
            self._form.fields[str(self._select["name"])] = list(chosen)  # type: ignore[call-overload]
            self._select = None
        elif tag == "textarea":
            self._area = None

    def handle_data(self, data: str) -> None:
        if self._template:
            return
        if self._area is not None:
            form, name = self._area
            words = data.removeprefix("\n") if self._first_of_area else data
            form.fields[name][0] += words
            self._first_of_area = False
        self.text += data

    def shows(self, attribute: str, value: str) -> bool:
        return any(attrs.get(attribute) == value for _, attrs in self.elements)

    def card(self) -> str:
        """The ref of the card that lies open: the first in the document."""
        return next((attrs["data-ref"] for _, attrs in self.elements if "data-ref" in attrs), "")


class Screen:
    """One person at the screens, with CSRF checked."""

    def __init__(self, name: str | None) -> None:
        self.client = Client(enforce_csrf_checks=True)
        if name is not None:
            self.client.force_login(User.objects.get(username=name))
        self.response: HttpResponse
        self.page = Page("")

    def open(self, path: str) -> Page:
        return self._take(self.client.get(path, follow=True))

    def press(self, action: str, *, at: int = 0, **filled: str | list[str]) -> Page:
        """Press the button with this `data-action` (the one of several that `at` counts), its form filled in as given."""
        found = [
            (form, button) for form in self.page.forms for button in form.buttons if button.get("data-action") == action
        ]
        assert len(found) > at, f"no button {action!r}"
        form, button = found[at]
        data: dict[str, list[str] | str] = {**form.fields, **filled}
        if button.get("name"):
            data[button["name"]] = button.get("value", "")
        # A browser sends every line end as CR LF.
        sent = {
            name: [
                word.replace("\r\n", "\n").replace("\n", "\r\n")
                for word in ([words] if isinstance(words, str) else words)
            ]
            for name, words in data.items()
        }
        return self._take(self.client.post(form.action, sent, follow=True))

    def _take(self, response: HttpResponse) -> Page:
        self.response = response
        self.page = Page(response.content.decode())
        return self.page

    @property
    def status(self) -> int:
        return self.response.status_code
