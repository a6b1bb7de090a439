"""Forty questions at forty moments, on both clocks, through the door of agents: what changed twice, what was backdated, what had an
end, what was taken back."""

import datetime as dt

from ledger.actions.decide import archive, restore
from ledger.actions.promote import promote
from ledger.actions.supersede import supersede
from ledger.actions.undo import undo
from ledger.models import Claim
from tests.people import candidate
from tests.review.door import House
from tests.review.recalling import ALICE, context, hold, search


def day(month: int, of: int = 1, year: int = 2025) -> dt.datetime:
    return dt.datetime(year, month, of, tzinfo=dt.UTC)


def replace(house: House, old: Claim, statement: str, **more: object) -> Claim:
    new = hold(house.scope, statement, **more)
    old.refresh_from_db()
    supersede(old, by=new, actor=ALICE)
    new.refresh_from_db()
    return new


def shown(house: House, query: str, **clocks: dt.datetime) -> set[str]:
    """By context and by search, which never differ."""
    clocks_text = {name: moment.isoformat() for name, moment in clocks.items()}
    packed = {item["statement"] for item in context(house.agent, query=query, raw=False, **clocks_text)["items"]}
    found = {hit["statement"] for hit in search(house.agent, query, **clocks_text)}
    assert packed == found, (query, clocks)
    return found


def now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


def test_valid_time(house: House) -> None:
    ten = hold(house.scope, "The fee is 10", topic="fee a", valid_from=day(1))
    twelve = replace(house, ten, "The fee is 12", topic="fee b", valid_from=day(6))
    before_backdating = now()
    replace(house, twelve, "The fee is 11", topic="fee c", valid_from=day(3))
    hold(house.scope, "Anna leads the workshop", valid_from=day(1), valid_to=day(6))
    hold(house.scope, "Bob leads the workshop now", valid_from=day(6))
    first = hold(house.scope, "The gate is closed", topic="gate a", valid_from=day(2), valid_to=day(9))
    replace(house, first, "The gate is open", topic="gate b", valid_from=day(5))
    hold(house.scope, "The lamp burns")
    asked: list[tuple[str, dt.datetime, set[str]]] = [
        *(("fee", moment, set()) for moment in (day(12, 31, 2024), day(1, 1, 2020))),
        *(("fee", moment, {"The fee is 10"}) for moment in (day(1), day(2), day(2, 28))),
        *(("fee", moment, {"The fee is 11"}) for moment in (day(3), day(4), day(6), day(7), day(1, 1, 2026))),
        *(("leads workshop", moment, set()) for moment in (day(12, 31, 2024),)),
        *(("leads workshop", moment, {"Anna leads the workshop"}) for moment in (day(1), day(3), day(5, 31))),
        *(("leads workshop", moment, {"Bob leads the workshop now"}) for moment in (day(6), day(8), day(1, 1, 2026))),
        *(("gate", moment, set()) for moment in (day(1), day(1, 31))),
        *(("gate", moment, {"The gate is closed"}) for moment in (day(2), day(4, 30))),
        *(("gate", moment, {"The gate is open"}) for moment in (day(5), day(9), day(10))),
        *(("lamp", moment, {"The lamp burns"}) for moment in (day(1, 1, 2020), day(5))),
    ]
    for query, moment, statements in asked:
        assert shown(house, query, as_of=moment) == statements, (query, moment)
    believed = [(day(2), "10"), (day(4), "10"), (day(5, 31), "10"), (day(6), "12"), (day(9), "12")]
    for moment, fee in believed:
        assert shown(house, "fee", as_of=moment, believed_at=before_backdating) == {f"The fee is {fee}"}, moment
    assert len(asked) + len(believed) >= 30


def test_time_of_belief(house: House) -> None:
    start = now()
    oak = hold(house.scope, "The mast is oak", topic="mast a")
    with_oak = now()
    pine = replace(house, oak, "The mast is pine", topic="mast b")
    with_pine = now()
    pine.refresh_from_db()
    archive(pine, actor=ALICE)
    without = now()
    pine.refresh_from_db()
    restore(pine, actor=ALICE)
    again = now()
    waiting = candidate(house.scope, ALICE, "The mast is new")
    event = promote(waiting, actor=ALICE)
    promoted = now()
    undo(event, actor=ALICE)
    asked = [
        (start, set()),
        (with_oak, {"The mast is oak"}),
        (with_pine, {"The mast is pine"}),
        (without, set()),
        (again, {"The mast is pine"}),
        (promoted, {"The mast is pine", "The mast is new"}),
        (now(), {"The mast is pine"}),
        (day(1), set()),
    ]
    for moment, statements in asked:
        assert shown(house, "mast", believed_at=moment) == statements, moment
    assert shown(house, "mast") == {"The mast is pine"}
    assert shown(house, "mast", believed_at=promoted, as_of=promoted) == {"The mast is pine", "The mast is new"}
