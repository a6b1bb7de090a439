"""Between what is found and what is written: budgets, novelty, echoes; and what can be admitted afterwards (P3, C5, law 8)."""

import pytest

from extraction.extractors.echo import echoed_ranges, is_within
from extraction.extractors.registry import for_scope
from extraction.runs.consolidate import budget_of
from extraction.runs.dry_run import dry_run
from extraction.runs.pipeline import work_off
from ledger.actions.admit import HitToAdmit, admit
from ledger.actions.decide import reject
from ledger.actions.ingest import Incoming, ingest
from ledger.actions.load_pack import load_pack
from ledger.actions.promote import promote
from ledger.actions.purge import purge
from ledger.actions.run import request_run
from ledger.actions.scope import create_scope, update_scope
from ledger.actor import operator
from ledger.models import Claim, Run, RunHit, Scope, Source
from ledger.reads.packs import packs_of
from ledger.reads.why_not import why_not
from ledger.rules.sections import SectionSpan

pytestmark = pytest.mark.django_db(transaction=True)
PERSON = operator("Ada")


@pytest.fixture
def yard(db: None) -> Scope:
    return create_scope("yard", tier="project", packs=["engineering"], actor=PERSON)


def hear(scope: Scope, text: str, **more: object) -> Run:
    told: dict[str, object] = {"kind": "message", "sender_kind": "user", "sender": "Ada", **more}
    source = ingest([Incoming(text=text, **told)], scope=scope, actor=PERSON, extractors=for_scope(scope))[0].source  # type: ignore[arg-type]
    work_off()
    return Run.objects.get(source=source, extractor="rules")


def again(scope: Scope, source: Source) -> Run:
    request_run(source, actor=PERSON, extractors=for_scope(scope, only=["rules"]), forced=True)
    work_off()
    return Run.objects.filter(source=source).order_by("-id")[0]


def colours(*numbers: int) -> str:
    return "\n\n".join(f"I prefer colour number {n} for the door." for n in numbers)


def pack(scope: Scope, more: str) -> None:
    load_pack(f'[pack]\nname = "tight"\nversion = "1"\n{more}'.encode(), file="tight.toml")
    update_scope(scope, actor=PERSON, changes={"packs": ["engineering", "tight"]})
    scope.refresh_from_db()


def test_reading_again_brings_no_more_until_somebody_has_reviewed(yard: Scope) -> None:
    run = hear(yard, colours(*range(60)))
    assert (run.stats["written"], run.stats["held_back"]) == (50, 10)
    second = again(yard, run.source)
    assert (second.stats["written"], second.stats["held_back"], second.stats["duplicates"]) == (0, 10, 50)
    for claim in Claim.objects.order_by("id")[:4]:
        promote(claim, actor=PERSON)
    for claim in Claim.objects.filter(status="pending").order_by("id")[:2]:
        reject(claim, actor=PERSON)
    third = again(yard, run.source)
    assert (third.stats["written"], third.stats["held_back"], third.stats["merged"], third.stats["dropped"]) == (
        6,
        4,
        4,
        2,
    )


def test_what_says_the_same_as_one_held_back_is_not_written_in_its_stead(yard: Scope) -> None:
    pack(yard, "[budgets]\ninferred_per_pass = 2\n")
    run = hear(yard, colours(1, 2, 3, 3, 4) + "\n\nI prefer the colour number 4 for the door.")
    assert (run.stats["written"], run.stats["held_back"]) == (2, 4)
    assert set(Claim.objects.values_list("statement", flat=True)) == {
        "I prefer colour number 1 for the door.", "I prefer colour number 2 for the door.",
    }  # fmt: skip


def test_what_is_nearly_said_ranks_below_what_is_new(yard: Scope) -> None:
    hear(yard, "I prefer oak planks for every gate in the yard.")
    pack(yard, "[budgets]\ninferred_per_pass = 1\n")
    run = hear(yard, "I prefer dark oak planks for every gate in the yard.\n\nI prefer tea.")
    assert list(run.claims.values_list("statement", flat=True)) == ["I prefer tea."]
    pack(yard, "[budgets]\ninferred_per_pass = 9\n[novelty]\nthreshold = 0.5\n")
    run = hear(yard, "I prefer pale oak planks for every gate in the yard.")
    assert run.stats["written"] == 0 and "novelty 0.1" in run.hits.get().why
    assert admit(run, [HitToAdmit(1)], actor=PERSON).admitted


def test_an_episode_has_a_softer_cap(yard: Scope) -> None:
    pack(yard, "[budgets]\ninferred_per_pass = 30\nper_episode = 2\n")
    packs = packs_of(yard)
    assert budget_of("message", packs) == 30 and budget_of("episode", packs) == 2
    run = hear(yard, colours(1, 2, 3) + "\n\nDecision: paint it", kind="episode")
    assert run.stats["held_back"] == 1 and Claim.objects.filter(kind="decision").count() == 1


def test_a_dry_run_tells_the_fates_of_the_real_one(yard: Scope) -> None:
    pack(yard, "[budgets]\ninferred_per_pass = 2\n[budgets.project]\npreference = 1\n")
    text = colours(1, 2, 3) + "\n\nDecision: paint it\n\nDecision: we will paint it"
    source = ingest([Incoming(text=text, kind="message", sender_kind="user")], scope=yard, actor=PERSON)[0].source
    told = [one["would_be"] for one in dry_run(source, for_scope(yard, only=["rules"]))]
    assert not Claim.objects.exists()
    request_run(source, actor=PERSON, extractors=for_scope(yard, only=["rules"]))
    work_off()
    run = Run.objects.get(source=source)
    assert {fate: told.count(fate) for fate in set(told)} == {
        n: c for n, c in run.stats.items() if c and n != "proposed"
    }
    assert run.stats["written"] == 2 and run.stats["held_back"] == 2 and run.stats["duplicates"] == 1
    assert "the budget of 1 preference claims for a project is full" in set(run.hits.values_list("why", flat=True))


LINE = "- Decision: sell the yard to nobody at all [DEC-20260130-001 source 3:10-42]"
PASTED = [
    LINE,
    "> " + LINE,
    f"You said earlier: {LINE} and now?",
    "> - Decision: sell the yard\n> to nobody at all\n> [DEC-20260130-001\n> source 3:10-42]",
    "## Decisions - Decision: sell it to nobody [DEC-20260130-001 source 3:10-42] - Decision: keep it [DEC-20260130-002 withheld]",
    "* Decision: sell the yard [source 3:10-42]",
]


@pytest.mark.parametrize("text", PASTED)
def test_lines_of_a_pack_are_known_however_they_come_back(yard: Scope, text: str) -> None:
    at = text.index("Decision:")
    assert is_within(echoed_ranges(text), at)
    hear(yard, text)
    assert not Claim.objects.exists()


def test_what_a_person_says_beside_a_pasted_line_is_theirs(yard: Scope) -> None:
    text = f"Decision: we keep the crane\n\n{LINE}\n\nDecision: paint the gate, see [DEC-20260130-001]\n"
    hear(yard, text)
    assert {words.split(",")[0] for words in Claim.objects.values_list("statement", flat=True)} == {
        "we keep the crane", "paint the gate",
    }  # fmt: skip


GIVEN_BACK = [
    "Decision: {words} ({ref})",
    "> Decision: {words} [{ref}]",
    "- [decision] {words}. {ref}",
    "{ref}: Decision: {words}",
    "Decision ({ref}): {words}",
    "| {ref} | Decision: {words} |",
    "- Decision: {words} — {ref}",
    "- `{ref}` Decision: {words} · “{words}” [source 4](/sources/4)",
]


@pytest.mark.parametrize("form", GIVEN_BACK)
def test_a_line_that_carries_our_ref_is_nothing_new(yard: Scope, form: str) -> None:
    hear(yard, "Decision: sell the crane")
    (known,) = Claim.objects.all()
    hear(yard, form.format(ref=known.ref, words="sell the crane for scrap"))
    assert Claim.objects.count() == 1 and known.evidence.count() == 1
    other = "Decision: keep the crane, this replaces {ref}\nDecision: paint the gate (see {ref})\n{form}"
    hear(yard, other.format(ref=known.ref, form=form.format(ref="DEC-20200130-009", words="sell the hut")))
    statements = " ".join(Claim.objects.values_list("statement", flat=True))
    assert "keep the crane" in statements and "paint the gate" in statements


def test_an_agent_that_gives_a_line_back_says_nothing_new() -> None:
    text = "Action: call Bob [COM-20260130-004].\nAction: call Eve\n"
    agent, user = (SectionSpan("", speaker, (), 0, len(text)) for speaker in ("agent", "user"))
    echoed = echoed_ranges(text, [agent])
    assert is_within(echoed, 0) and not is_within(echoed, text.index("Action: call Eve"))
    assert not echoed_ranges(text, [user])


def report(
    scope: Scope, hit: dict[str, object], *, text: str = "The mast is 9 m. The mast is 9 m.", **more: str
) -> Run:
    run = hear(scope, text, kind="document", sender_kind="document", **more)
    RunHit.objects.create(run=run, number=90, fate="note", why="the quote is nowhere", hit=hit)
    return run


NOTE = {"kind": "fact", "statement": "The mast is 9 m", "rule": "model", "confidence": 0.7}


def test_a_note_is_admitted_with_the_quote_that_it_lacks(yard: Scope) -> None:
    run = report(yard, NOTE)
    assert admit(run, [HitToAdmit(90)], actor=PERSON).refused[0]["why"] == "it has no quote in its source"
    assert "does not say" in admit(run, [HitToAdmit(90, "The mast is 8 m")], actor=PERSON).refused[0]["why"]
    answer = admit(run, [HitToAdmit(90, "The mast is 9 m")], actor=PERSON)
    claim = Claim.objects.get(ref=answer.admitted[0]["ref"])
    assert len(claim.anchors_to_choose) == 2 and not claim.evidence.exists() and claim.rule == "model"
    run = report(yard, NOTE | {"statement": "The mast is 9 metres and straight"}, text="It is 9 m. It is red.")
    answer = admit(run, [HitToAdmit(90, "It is 9 m")], actor=PERSON)
    assert Claim.objects.get(ref=answer.admitted[0]["ref"]).evidence.get().quote == "It is 9 m"


@pytest.mark.parametrize(
    ("hit", "why"),
    [
        ({"kind": "no such kind", "statement": "x", "start": 0, "end": 4}, "no kind"),
        ({"statement": "x", "start": 0, "end": 4}, "no kind and statement"),
        ({**NOTE, "start": 0, "end": 400}, "no range"),
        ({**NOTE, "spans": [{"source": 999_999, "start": 0, "end": 4}]}, "was purged"),
        ({**NOTE, "start": 0, "end": 4, "confidence": 7}, "confidence"),
        ({**NOTE, "start": "a", "end": 4}, "no quote"),
    ],
)
def test_what_cannot_be_a_claim_is_refused_alone(yard: Scope, hit: dict[str, object], why: str) -> None:
    run = report(yard, hit)
    RunHit.objects.create(run=run, number=91, fate="held_back", why="too many", hit={**NOTE, "start": 0, "end": 15})
    answer = admit(run, [HitToAdmit(90), HitToAdmit(91)], actor=PERSON)
    assert [one["number"] for one in answer.admitted] == [91]
    assert answer.refused[0]["number"] == 90 and why in answer.refused[0]["why"]


def test_a_hit_on_words_of_its_thread_is_admitted_and_goes_with_their_purge(yard: Scope) -> None:
    first = hear(yard, "Shall the mast be 9 m?", conversation="t").source
    run = hear(yard, "Yes.", conversation="t")
    spans = [
        {"source": first.pk, "start": 0, "end": 21},
        {"source": run.source_id, "start": 0, "end": 4, "stance": "context"},
    ]
    for number in (1, 2):
        hit = {
            **NOTE,
            "statement": f"The mast is 9 m ({number})",
            "spans": spans,
            "valid_from": "2026-05-08T10:00:00+00:00",
        }
        RunHit.objects.create(run=run, number=90 + number, fate="held_back", why="too many", hit=hit)
    claim = Claim.objects.get(ref=admit(run, [HitToAdmit(91)], actor=PERSON).admitted[0]["ref"])
    assert {(e.source_id, e.quote, e.stance) for e in claim.evidence.all()} == {
        (first.pk, "Shall the mast be 9 m", "supports"), (run.source_id, "Yes.", "context"),
    }  # fmt: skip
    assert claim.valid_from is not None
    purge(first, actor=PERSON, reason="private")
    assert RunHit.objects.get(run=run, number=92).hit is None
    assert "purged" in admit(run, [HitToAdmit(92)], actor=PERSON).refused[0]["why"]


def test_places_are_admitted_to_be_chosen_from_and_what_joined_is_not(yard: Scope) -> None:
    run = report(yard, NOTE)
    places = [{"source": run.source_id, "start": 0, "end": 15}, {"source": run.source_id, "start": 17, "end": 32}]
    RunHit.objects.create(run=run, number=91, fate="held_back", why="too many", hit={**NOTE, "places": places})
    claim = Claim.objects.get(ref=admit(run, [HitToAdmit(91)], actor=PERSON).admitted[0]["ref"])
    assert claim.anchors_to_choose == places
    RunHit.objects.create(
        run=run, number=92, fate="duplicate", why="known", hit={**NOTE, "start": 0, "end": 15}, claim=claim
    )
    assert claim.ref in admit(run, [HitToAdmit(92)], actor=PERSON).refused[0]["why"]


def test_why_not_tells_what_was_taken_for_the_same(yard: Scope) -> None:
    hear(
        yard,
        "Decision: the heronry stays closed\n\nDecision: heronry stays closed!\n\nDecision: The heronry stays closed\n",
    )
    claim = Claim.objects.get()
    told = [answer.reason for answer in why_not(yard, "heronry", access=PERSON.access)]
    assert [reason for reason in told if "taken for the same" in reason and claim.ref in reason] and len(told) == 2
