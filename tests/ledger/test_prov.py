"""An export as W3C PROV-JSON, read by the reference implementation."""

import json

from prov.model import ProvDocument

from ledger.actions.curate import curate
from ledger.actions.promote import promote
from ledger.actions.supersede import supersede
from ledger.actions.undo import undo
from ledger.models import JournalEvent, Scope
from ledger.projections.export import export
from tests.people import People, candidate, tell

ENDS = (
    "prov:entity",
    "prov:activity",
    "prov:agent",
    "prov:generatedEntity",
    "prov:usedEntity",
    "prov:informed",
    "prov:informant",
)


def test_the_document_is_prov_and_every_end_is_declared(lab: Scope, people: People) -> None:
    told = tell(lab, people.bob, 'The "mast" weighs 4 kg 🌳\n', sender='Ida "the painter"', external_id="m1")
    tell(lab, people.bob, "The mast weighs 5 kg", sender="Ida", external_id="m1")
    four = candidate(lab, people.bob, 'The "mast" weighs 4 kg', key="mast", value=4, told=told)
    five = candidate(lab, people.bob, "The mast weighs 5 kg", key="mast", value=5)
    promote(four, actor=people.bob)
    promote(five, actor=people.bob)
    supersede(four, by=five, actor=people.bob)
    undo(JournalEvent.objects.get(verb="supersede"), actor=people.bob)
    supersede(four, by=five, actor=people.bob)
    curate(lab, "mast", actor=people.carol, value=5, cites=[five.ref])
    curate(lab, "mast", actor=people.carol, value=6, cites=[five.ref])
    text = b"".join(export(lab, people.vera.access, format="prov"))
    document = ProvDocument.deserialize(content=text, format="json")
    assert ProvDocument.deserialize(content=document.serialize(format="json"), format="json") == document
    assert "used(cs:event-" in document.get_provn()
    found = json.loads(text)
    declared = {*found["entity"], *found["activity"], *found["agent"]}
    for section, records in found.items():
        for record in records.values() if section not in ("prefix", "entity", "activity", "agent") else ():
            assert {record[end] for end in ENDS if end in record} <= declared, (section, record)
    kinds = [one["prov:type"]["$"] for one in found["wasDerivedFrom"].values() if "prov:type" in one]
    assert kinds.count("prov:Revision") == 3 and kinds.count("prov:Quotation") == 2
    assert found["entity"][f"cs:{four.ref}"]["prov:value"] == 'The "mast" weighs 4 kg'
    assert {one["prov:label"] for one in found["agent"].values()} >= {"bob", "carol", "Ida"}


def test_an_empty_scope_is_a_document_too(lab: Scope, people: People) -> None:
    text = b"".join(export(lab, people.vera.access, format="prov"))
    assert ProvDocument.deserialize(content=text, format="json") is not None
