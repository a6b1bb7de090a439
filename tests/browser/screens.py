"""Every screen on demo data, by name: what axe looks at, and what the pictures in the documentation show."""

import html
import re
from typing import Any

from django.contrib import admin
from django.urls import reverse

from review.urls import urlpatterns
from tests.browser.conftest import Desk
from tests.matrix.table import SCREENS

# What a screen shows that is named by something else than its first row.
SCOPE = "studio/backdrop"
COLLEAGUE = "rita"
# What answers with a file, or with a piece of a page that is shown in another.
NO_SCREENS = {"to_provider", "from_provider", "feed", "items_csv", "workspace_state", "presence"}


def screens(desk: Desk) -> dict[str, str]:
    """Path by name, of every address that answers GET according to the matrix. An address that takes an argument which is
    not known here fails: give it an example below."""
    known = {row.name.removeprefix("GET ") for row in SCREENS if row.name.startswith("GET ")}
    examples = Examples(desk)
    found = {"send": reverse("send")}
    for pattern in urlpatterns:
        if pattern.name in known - NO_SCREENS:
            arguments = {name: examples.of(str(pattern.name), name) for name in pattern.pattern.converters}
            found[str(pattern.name)] = reverse(str(pattern.name), kwargs=arguments)
    return found


class Examples:
    """One of everything that an address can be about, from the demo data; a wave and a saved thing are made where none is."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    def first(self, path: str) -> Any:
        items = self.desk.api("GET", path)["items"]
        assert items, f"the demo data has nothing under {path}"
        return items[0]

    def of(self, name: str, argument: str) -> Any:
        if argument == "path":
            return SCOPE
        if argument == "ref":
            return self.ref(name)
        number = {
            "source": lambda: self.contested()["evidence"][0]["source"],
            "propose_from": lambda: self.contested()["evidence"][0]["source"],
            "conflict": lambda: self.first("/conflicts")["id"],
            "run": lambda: self.first("/runs")["id"],
            "wave": self.wave,
            "catalogue_item": self.catalogue_item,
            "item": self.item,
            "agreement": self.sample,
        }
        for noun, make in number.items():
            if noun in name and argument == "pk":
                return make()
        raise AssertionError(f"tests/browser/screens.py has no example for {argument!r} of {name!r}")

    def ref(self, name: str) -> str:
        if name == "trusted":
            return str(self.desk.api("GET", "/state?scope=board")["items"][0]["ref"])
        return str(self.first("/entities")["ref"] if "entit" in name or name == "record" else self.contested()["ref"])

    def contested(self) -> Any:
        """A candidate that contradicts what holds, where there is one: it shows most."""
        waiting = self.desk.waiting(SCOPE) or self.desk.api("GET", "/candidates?limit=200")["items"]
        return next((c for c in waiting if (c.get("preview") or {}).get("outcome") == "conflict"), waiting[0])

    def wave(self) -> int:
        known = self.desk.api("GET", f"/waves?scope={SCOPE}")["items"]
        if known:
            return int(known[0]["id"])
        text = "Decision: the curtain is hung from the second bar\n"
        made = self.desk.api(
            "POST", "/waves", {"scope": SCOPE, "label": "Rehearsal notes", "sources": [{"text": text}]}
        )
        return int(made["id"] if "id" in made else made["wave"]["id"])

    def item(self) -> int:
        known = self.desk.api("GET", f"/items?scope={SCOPE}")["items"]
        if not known:
            self.desk.api("POST", "/scopes", {"scope": f"{SCOPE}/crate", "tier": "item", "name": "Crate"})
        return int((known or self.desk.api("GET", f"/items?scope={SCOPE}")["items"])[0]["id"])

    def sample(self) -> int:
        """Judged by two people: the demo's one is given a colleague."""
        page = self.desk.page
        page.goto(self.desk.url + reverse("agreements"))
        if not page.locator("[data-sample]").count():
            page.goto(self.desk.url + reverse("admin:auth_user_onboard"))
            page.fill("#id_username", COLLEAGUE)
            page.fill("#id_scope", "global")
            page.get_by_role("button", name="Make the user").click()
            page.wait_for_selector("#welcome-link")
            page.goto(self.desk.url + reverse("agreements"))
            page.select_option("select[name=scope]", "studio")
            page.fill("input[name=first]", COLLEAGUE)
            page.fill("input[name=second]", page.locator(".who summary").inner_text())
            page.fill("input[name=size]", "5")
            page.click("[data-action=draw]")
            page.goto(self.desk.url + reverse("agreements"))
        return int(page.locator("[data-sample]").first.get_attribute("data-sample") or 0)

    def catalogue_item(self) -> int:
        known = self.desk.api("GET", "/catalogue?scope=studio")["items"]
        made = (
            known[0]
            if known
            else self.desk.api("POST", "/catalogue", {"scope": "studio", "name": "Birch plywood 18 mm"})
        )
        return int(made["id"])


FIRST_ROW = re.compile(r'id="result_list".*?<tbody.*?<a [^>]*href="([^"]+)"', re.DOTALL)
# Read once for each server: which rows it has to show.
_admin_pages: dict[str, dict[str, str]] = {}


def admin_pages(desk: Desk) -> dict[str, str]:
    """Every list of the admin, one page of each noun that has rows, and the pages behind its buttons."""
    if desk.url in _admin_pages:
        return _admin_pages[desk.url]
    found = {"admin": "/admin/", "admin-password": "/admin/password_change/"}
    for model in admin.site._registry:
        name = f"{model._meta.app_label}_{model._meta.model_name}"
        address = reverse(f"admin:{name}_changelist")
        found[f"admin-{model._meta.model_name}-list"] = address
        listed = desk.page.context.request.get(desk.url + address).text()
        if link := FIRST_ROW.search(listed):
            found[f"admin-{model._meta.model_name}"] = html.unescape(link[1])
    scope = found["admin-scope"].split("?")[0].removesuffix("change/")
    source = found["admin-source"].split("?")[0].removesuffix("change/")
    _admin_pages[desk.url] = found | {
        "admin-scope-add": reverse("admin:ledger_scope_add"),
        "admin-scope-settings": f"{scope}settings/",
        "admin-person-add": reverse("admin:ledger_person_add"),
        "admin-trustedstate-add": reverse("admin:ledger_trustedstate_add"),
        "admin-source-purge": f"{source}purge/",
        "admin-candidate-history": found["admin-candidate"].split("?")[0].removesuffix("change/") + "history/",
        "admin-user-add": reverse("admin:auth_user_add"),
        "admin-user-onboard": reverse("admin:auth_user_onboard"),
    }
    return _admin_pages[desk.url]


def open_action_page(desk: Desk) -> None:
    """The page between of a list action, with three candidates."""
    desk.page.goto(desk.url + reverse("admin:ledger_candidate_changelist"))
    boxes = desk.page.locator("input.action-select")
    for at in range(min(3, boxes.count())):
        boxes.nth(at).check()
    desk.page.select_option("select[name=action]", "promote_selected")
    desk.page.get_by_role("button", name="Run").click()
    desk.page.wait_for_selector("[data-action=sure]")


__all__ = ["SCOPE", "Examples", "admin_pages", "open_action_page", "screens"]
