"""What keeps blocks true whoever writes: a fixed cost, a rebuild that finds what differs, and the database's own laws."""

from collections.abc import Callable

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ledger.actions.patch_blocks import rebuild_blocks
from ledger.actions.promote import promote
from ledger.actions.scope import update_scope
from ledger.models import Block, BlockLine, BlockRevision, Scope
from ledger.projections.blocks import block_of, blocks_of
from tests.ledger.blocks.conftest import held
from tests.ledger.conftest import role
from tests.ledger.raw import OWNER, SERVING, WEB, execute, refuse_each
from tests.people import People, candidate

WIDTH, HEIGHT = "item.dimensions.width", "item.dimensions.height"


def everything_of(scope: Scope) -> list[object]:
    return [(one.spec.key, one.content, one.revision) for one in blocks_of(scope)]


def test_a_patch_takes_the_same_statements_however_much_stands_in_a_block(studio: Scope, crew: People) -> None:
    taken, read = [], []
    for many in (2, 15):
        for at in range(many):
            held(studio, crew.bob, f"Rule {many} {at}", kind="constraint")
        claim = candidate(studio, crew.bob, f"One more than {many}", kind="constraint")
        with role(WEB), CaptureQueriesContext(connection) as captured:
            promote(claim, actor=crew.bob)
        taken.append(len(captured))
        with CaptureQueriesContext(connection) as captured:
            assert everything_of(studio)
        read.append(len(captured))
    assert taken[0] == taken[1] <= 15, taken
    assert read[0] == read[1] <= 5


@pytest.mark.parametrize(
    ("spoil", "wrong"),
    [
        (lambda: execute("DELETE FROM ledger_blockline"), 3),
        (lambda: execute("UPDATE ledger_blockline SET answer_id = NULL"), 1),
        (lambda: execute("UPDATE ledger_blockline SET block_id = (SELECT min(block_id) FROM ledger_blockline)"), 2),
    ],
    ids=["missing", "open again", "elsewhere"],
)
def test_they_are_made_anew_where_they_differ(
    backdrop: Scope, crew: People, spoil: Callable[[], object], wrong: int
) -> None:
    held(backdrop, crew.bob, "How wide?", kind="open_question", key=WIDTH)
    held(backdrop, crew.bob, "6 m wide", key=WIDTH, value="6 m")
    held(backdrop, crew.bob, "3 m high", key=HEIGHT, value="3 m")
    before = [(key, content) for key, content, _ in everything_of(backdrop)]  # type: ignore[misc]
    call_command("rebuild", "--check")
    spoil()
    with pytest.raises(CommandError, match=f"{wrong} differ"):
        call_command("rebuild", "--check")
    call_command("rebuild")
    call_command("rebuild", "--check")
    assert [(key, content) for key, content, _ in everything_of(backdrop)] == before  # type: ignore[misc]
    last = BlockRevision.objects.latest("pk")
    assert (last.author, last.event) == ("rebuild", None)


def test_other_packs_move_the_lines(backdrop: Scope, studio: Scope, crew: People) -> None:
    held(backdrop, crew.bob, "6 m wide", key=WIDTH, value="6 m")
    update_scope(studio, actor=crew.alice, changes={"packs": []})
    assert blocks_of(backdrop) == [] and not BlockLine.objects.exists()
    studio.refresh_from_db()
    update_scope(studio, actor=crew.alice, changes={"packs": ["production"]})
    shown = block_of(backdrop, "item.dimensions")
    assert (shown.content["width"]["value"], shown.revision, shown.author) == (6, 3, "alice")
    assert rebuild_blocks(Scope.objects.all(), check=True) == (1, 0)


@pytest.mark.parametrize("serving", SERVING)
def test_no_block_shows_what_does_not_hold(backdrop: Scope, crew: People, serving: str) -> None:
    held(backdrop, crew.bob, "6 m wide", key=WIDTH, value="6 m")
    waiting = candidate(backdrop, crew.bob, "3 m high", key=HEIGHT, value="3 m")
    block = Block.objects.get()
    refuse_each(
        [
            f"INSERT INTO ledger_blockline (block_id, claim_id) VALUES ({block.pk}, {waiting.pk})",
            f"UPDATE ledger_blockline SET claim_id = {waiting.pk}",
            "UPDATE ledger_claim SET status = 'archived' WHERE status = 'active'",
            "UPDATE ledger_block SET revision = revision - 1",
            "UPDATE ledger_blockrevision SET author = 'nobody'",
            "DELETE FROM ledger_blockrevision",
            "TRUNCATE ledger_blockline",
        ],
        as_role=serving,
    )
    refuse_each([f"INSERT INTO ledger_blockline (block_id, claim_id) VALUES ({block.pk}, {waiting.pk})"], as_role=OWNER)
