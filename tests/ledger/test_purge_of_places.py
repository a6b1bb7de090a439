"""A purge of a text that a candidate still offers places of: the places go, and the journal says so."""

import pytest

from ledger.actions.propose import Draft, propose
from ledger.actions.purge import purge
from ledger.models import Scope
from ledger.reads.verify import verify
from tests.people import People, quote_of, tell


@pytest.mark.usefixtures("as_web")
def test_the_rows_stay_what_the_journal_says(lab: Scope, people: People) -> None:
    kept = tell(lab, people.bob, "We use tea.")
    gone = tell(lab, people.bob, "tea or tea")
    places = ({"source": gone.pk, "start": 0, "end": 3}, {"source": gone.pk, "start": 7, "end": 10})
    draft = Draft(kind="fact", statement="We use tea", quotes=(quote_of(kept),), anchors_to_choose=places)
    claim = propose(draft, scope=lab, actor=people.bob).claim
    assert claim is not None
    purge(gone, actor=people.alice, reason="asked for")
    claim.refresh_from_db()
    assert (claim.statement, claim.anchors_to_choose) == ("We use tea", [])
    report = verify()
    assert report.problems == []
