"""Failed attempts of an episode, from the door to the candidate."""

import pytest

from extraction.extractors.episodes.failures import failures
from extraction.runs.pipeline import work_off
from ledger.actions.scope import create_scope
from ledger.models import Claim, Evidence
from ledger.rules.bundles.episode import EpisodeEvent, build
from tests.extraction.test_sources_api import OPERATOR, Door, doors  # noqa: F401


def told(*events: EpisodeEvent) -> list[tuple[str, int, str]]:
    text, sections = build(events)
    return [(one.tool, one.exit_code, text[one.start : one.end]) for one in failures(text, sections)]


@pytest.mark.parametrize(
    ("output", "line"),
    [
        ("Traceback (most recent call last):\n  File 'a.py'\nValueError: tide is no number\n", "ValueError: tide is no number"),
        ("2 passed\nFAILED t.py::test_low - 3 != 4\n1 failed in 0.2s", "FAILED t.py::test_low - 3 != 4"),
        ("fatal: not a git repository\n", "fatal: not a git repository"),
        ("make: *** [all] Error 2\nbash: cc1: command not found\n", "bash: cc1: command not found"),
        ("it just stopped\n\n", "it just stopped"),
        ("x" * 400, "x" * 250),
    ],
)  # fmt: skip
def test_the_most_telling_line(output: str, line: str) -> None:
    assert told(EpisodeEvent("tool", output, "run", 1)) == [("run", 1, line)]


def test_what_was_mended_or_ended_well_or_says_nothing_is_none() -> None:
    assert told(EpisodeEvent("tool", "boom: error", "make", 2), EpisodeEvent("tool", "ok", "make", 0)) == []
    assert told(EpisodeEvent("tool", "no errors here", "make", 0), EpisodeEvent("tool", "error: boom", "make")) == []
    assert (
        told(
            EpisodeEvent("tool", " \n ", "make", 1),
            EpisodeEvent("user", "error: mine"),
            EpisodeEvent("model", "exit 1"),
        )
        == []
    )
    both = told(
        EpisodeEvent("tool", "error: a", "make", 1),
        EpisodeEvent("tool", "fine", "test", 0),
        EpisodeEvent("tool", "error: b", "make", 1),
    )
    assert [line for _, _, line in both] == ["error: a", "error: b"]


@pytest.mark.django_db(transaction=True)
def test_a_failure_becomes_a_negative_result(doors: tuple[Door, Door]) -> None:  # noqa: F811
    owner, agent = doors
    create_scope("crew", tier="project", packs=["agent"], actor=OPERATOR)
    events = [{"type": "tool", "text": "deploying\nerror: port 80 is taken\n", "tool": "deploy", "exit_code": 1}]
    code, sent = agent("POST", "/episodes", {"scope": "crew", "events": events})
    assert code == 201
    work_off()
    claim = Claim.objects.get(kind__name="negative_result")
    assert claim.statement == "deploy ended with exit code 1: error: port 80 is taken"
    assert (claim.rule, claim.topic, claim.status, claim.extractor) == (
        "episode.failure",
        "deploy",
        "pending",
        "episodes",
    )
    evidence = Evidence.objects.get(claim=claim)
    assert (evidence.speaker, evidence.quote) == ("tool", "error: port 80 is taken")
