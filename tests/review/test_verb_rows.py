"""The doors read a verb's row: what it takes is read from a form, and its endpoint stands in the API's description."""

import json
from pathlib import Path

import pytest

from ledger.verbs import Verb
from review.screens.verbs import ARGUMENTS

DESCRIBED = json.loads(Path("docs/openapi.json").read_text())["paths"]


def test_a_form_is_read_for_every_verb_that_takes_more() -> None:
    assert set(ARGUMENTS) == {verb for verb in Verb if verb.row.label and verb.row.takes}


@pytest.mark.parametrize("verb", [verb for verb in Verb if verb.row.label])
def test_what_screens_offer_the_api_offers_too(verb: Verb) -> None:
    # Of claims; the catalogue's verbs have names of their own.
    paths = [path for path in DESCRIBED if path.endswith(f"/{{id}}/{verb}") and "/catalogue/" not in path]
    if verb is Verb.EDIT:
        paths = [
            path for path, methods in DESCRIBED.items() if "patch" in methods and path.endswith("/candidates/{id}")
        ]
    assert len(paths) == 1
    assert not verb.row.path or DESCRIBED[paths[0]]["post"]["description"] == verb.row.about
