"""The queue in a real browser: views, floods and snoozing by hand and by key, what others do appears, and axe finds nothing."""

import datetime as dt
import re
import secrets

import pytest
from playwright.sync_api import expect

from tests.browser.axe import faults, faults_in_both_themes
from tests.browser.conftest import Desk

pytestmark = pytest.mark.browser


def snoozed_day() -> str:
    return (dt.datetime.now(dt.UTC) + dt.timedelta(days=3)).date().isoformat()


def test_a_card_is_put_off_until_a_day_and_listed(desk: Desk) -> None:
    scope = desk.new_scope()
    first, second = desk.decisions(scope, "The mast is oak", "The sail is red")
    desk.page.goto(f"{desk.url}/?scope={scope}")
    assert desk.open_card() == first
    desk.page.fill("#open-card input[name=until_day]", snoozed_day())
    desk.page.click("#open-card [data-action=defer]")
    assert desk.next_card(first) == second and desk.becomes(first, "deferred")
    desk.press("d")
    assert desk.becomes(second, "deferred")
    desk.page.goto(f"{desk.url}/?scope={scope}&status=deferred")
    rows = desk.page.eval_on_selector_all(".row[data-row]", "all => all.map(one => one.dataset.row)")
    assert rows == [first, second]
    assert desk.complaints == []


def test_a_view_is_kept_and_opened_by_its_address(desk: Desk) -> None:
    scope = desk.new_scope()
    (ref,) = desk.decisions(scope, "The mast is oak")
    name = "<b>Masts</b> " + secrets.token_hex(3)
    desk.page.goto(f"{desk.url}/?scope={scope}&kind=decision")
    desk.page.click(".keep-view summary")
    desk.page.fill(".keep-view input[name=name]", name)
    desk.page.click("[data-action=keep-view]")
    desk.page.locator(f".views a:has-text('{name}')").wait_for()
    expect(desk.page).to_have_url(re.compile(f"(?=.*scope={scope})(?=.*kind=decision)"))
    desk.page.goto(f"{desk.url}/?order=best")
    desk.page.click(f".views a:has-text('{name}')")
    desk.page.wait_for_url("**kind=decision**")
    assert desk.open_card() == ref
    desk.page.click(".keep-view summary")
    desk.page.click(f"[aria-label='Delete the view {name}']")
    expect(desk.page.locator(".views")).not_to_contain_text(name)
    assert desk.complaints == []


def test_the_slash_goes_to_the_search_and_a_reference_to_its_card(desk: Desk) -> None:
    scope = desk.new_scope()
    refs = desk.decisions(scope, "The mast is oak", "The sail is red")
    desk.page.goto(f"{desk.url}/?scope={scope}")
    desk.press("/")
    assert desk.page.evaluate("document.activeElement.name") == "q"
    desk.page.keyboard.type(refs[1].lower())
    desk.page.keyboard.press("Enter")
    desk.page.wait_for_url("**/search?q=**")
    assert desk.page.locator("main [data-found]").first.get_attribute("href") == f"/candidates/{refs[1]}"
    desk.page.goto(f"{desk.url}/?scope={scope}&q=zebra")
    expect(desk.page.locator(".empty")).to_contain_text("Searched for")


def test_the_list_keeps_up_with_fast_keys(desk: Desk) -> None:
    """Twenty cards at four a second: after each the list shows the open one, and none that was decided long ago."""
    scope = desk.new_scope()
    desk.proposed(scope, *(f"Route {n} is closed" for n in range(32)))
    desk.page.goto(f"{desk.url}/?scope={scope}")
    expect(desk.page.locator(".progress")).to_have_text(re.compile(r"^\s*1 of 32\s+· "))
    seen = []
    for done in range(20):
        card = desk.open_card()
        desk.page.wait_for_timeout(250)
        desk.page.keyboard.press("p")
        desk.next_card(card)
        rows = desk.page.locator("#desk .row[data-row]:not(.decided)").count()
        faded = desk.page.locator("#desk .row.decided").count()
        seen.append((done, rows, faded))
        assert faded <= 2, seen
        if done > 12:
            # What came before the first list was renewed would be used up by now.
            row = desk.page.locator(f"#desk .row[data-row='{desk.open_card()}'][aria-current]")
            expect(row, str(seen)).to_have_count(1)
    assert min(rows for _, rows, _ in seen) >= 5, seen
    desk.page.wait_for_function("() => window.outbox.idle")
    desk.page.wait_for_function("() => document.querySelector('.progress')?.innerText.startsWith('1 of 12 · ')")
    assert len(desk.waiting(scope)) == 12
    assert desk.complaints == []


def test_what_comes_in_appears_without_moving_what_is_read(desk: Desk) -> None:
    scope = desk.new_scope()
    (first,) = desk.decisions(scope, "The mast is oak")
    desk.page.clock.install()
    desk.page.goto(f"{desk.url}/?scope={scope}")
    desk.page.evaluate("document.querySelector('#open-card').dataset.mark = 'still here'")
    place = desk.page.evaluate("document.querySelector('#open-card').getBoundingClientRect().top")
    (second,) = desk.decisions(scope, "The sail is red")
    desk.page.clock.fast_forward("00:30")
    desk.page.wait_for_selector(f".row[data-row='{second}']")
    assert desk.open_card() == first
    assert desk.page.evaluate("document.querySelector('#open-card').dataset.mark") == "still here"
    assert desk.page.evaluate("document.querySelector('#open-card').getBoundingClientRect().top") == place
    assert desk.complaints == []


def test_the_head_of_another_page_keeps_up(desk: Desk) -> None:
    scope = desk.new_scope()
    desk.page.clock.install()
    desk.page.goto(f"{desk.url}/entities")
    desk.page.wait_for_selector("#backlog")
    for words in ("The mast is oak", "The sail is red"):
        desk.decisions(scope, words)
        with desk.page.expect_response(lambda answer: answer.url.endswith("/pulse")) as answered:
            desk.page.clock.fast_forward("00:30")
        assert answered.value.status in (200, 304)
    expect(desk.page.locator("#backlog")).to_contain_text("waiting")


def test_axe_finds_nothing_and_nothing_is_wider_than_the_window(desk: Desk) -> None:
    scope = desk.new_scope()
    desk.decisions(scope, "The mast is oak", "The sail is red")
    for path in (f"/?scope={scope}", f"/?scope={scope}&rule=x", "/?status=deferred", "/digests"):
        desk.page.goto(desk.url + path)
        for summary in desk.page.query_selector_all(".more-filters summary, .keep-view summary"):
            summary.click()
        assert faults_in_both_themes(desk.page) == [], path
        desk.page.set_viewport_size({"width": 360, "height": 800})
        assert faults(desk.page) == [], path
        assert desk.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), path
        desk.page.set_viewport_size({"width": 1280, "height": 900})
    assert desk.complaints == []


def test_head_and_buttons_stay_in_one_line_of_a_laptop(desk: Desk) -> None:
    scope = desk.new_scope()
    [ref] = desk.decisions(scope, "The kiln is fired on Mondays")
    for width in (1200, 1280, 1440):
        desk.page.set_viewport_size({"width": width, "height": 860})
        desk.page.goto(f"{desk.url}/?scope={scope}&card={ref}")
        desk.page.wait_for_selector("#open-card .card[data-shown-at]")
        for row in (".top > *", "#open-card .decide .buttons > *"):
            boxes = [box for one in desk.page.locator(row).all() if (box := one.bounding_box()) and box["width"] > 1]
            middles = [box["y"] + box["height"] / 2 for box in boxes]
            assert max(middles) - min(middles) < 20, (width, row, middles)
    expect(desk.page.locator("#open-card .card-head .note")).to_contain_text("Promoted, it holds.")


def test_filters_apply_as_they_are_chosen_and_stay_in_the_address(desk: Desk) -> None:
    scope = desk.new_scope()
    (oak,) = desk.proposed(scope, "The mast is oak", kind="decision")
    (red,) = desk.proposed(scope, "The sail is red")
    desk.page.goto(f"{desk.url}/?scope={scope}")
    desk.page.select_option("form.filters select[name=kind]", "fact")
    desk.page.wait_for_selector(f"#open-card [data-ref={red}]")
    expect(desk.page).to_have_url(f"{desk.url}/?scope={scope}&kind=fact")
    desk.page.select_option("form.filters select[name=kind]", "")
    desk.page.focus("form.filters input[name=q]")
    desk.page.keyboard.type("mast p")
    desk.page.wait_for_url("**mast**")
    desk.page.wait_for_timeout(300)
    assert desk.page.evaluate("document.activeElement.name") == "q"
    desk.page.fill("form.filters input[name=q]", "mast")
    desk.page.wait_for_selector(f"#open-card [data-ref={oak}]")
    desk.page.reload()
    assert desk.open_card() == oak and desk.status(oak) == desk.status(red) == "pending"
    assert desk.complaints == []
