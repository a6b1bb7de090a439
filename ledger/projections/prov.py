"""An export as W3C PROV-JSON: sources, claims, quotes and trusted values are entities, events activities, and who acted or spoke
agents. Made of the rows of an export, so that it tells no more than that does.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote

type Shape = dict[str, Any]
type Named = Iterator[tuple[str, Shape]]
# Each type of rows, the name of its list, and its rows; called again for every section of the document.
type RowsByType = Callable[[], Iterator[tuple[str, str, Iterator[Shape]]]]

PREFIX: Final = {"cs": "urn:countersign:"}
_REF: Final = re.compile(r"[A-Z]{2,5}-[0-9]{8}-[0-9]{3,}")
# What brings an entity about; every other event uses what it is about.
_GENERATES: Final = frozenset({"propose", "curate"})


def sections(rows: RowsByType) -> Iterator[tuple[str, Iterator[tuple[str, Shape]]]]:
    """The sections of the document with their named records. No name stands twice in one."""
    for name, makers in SECTIONS.items():
        yield name, _records(rows, makers)


def _records(rows: RowsByType, makers: Mapping[str, Callable[[Shape], Named]]) -> Named:
    agents: set[str] = set()
    for kind, _, found in rows():
        for row in found if kind in makers else ():
            for name, record in makers[kind](row):
                if not name.startswith("cs:agent-") or name not in agents:
                    agents.update([name] if name.startswith("cs:agent-") else [])
                    yield name, record


def _typed(word: str) -> Shape:
    return {"$": word, "type": "prov:QUALIFIED_NAME"}


def _time(moment: Any) -> Shape:
    return {"$": moment.isoformat(), "type": "xsd:dateTime"}


def _filled(**attributes: Any) -> Shape:
    """Without what is empty; a name such as `prov__label` stands for `prov:label`."""
    return {name.replace("__", ":"): value for name, value in attributes.items() if value not in (None, "")}


def _source_id(pk: int) -> str:
    return f"cs:source-{pk}"


def _agent_id(kind: str, name: str) -> str:
    """A person is one agent whether they speak or decide."""
    group = "software" if kind in ("agent", "policy", "system", "tool") else "person"
    return f"cs:agent-{group}-{hashlib.sha256(name.encode()).hexdigest()[:16]}"


def _source(row: Shape) -> Named:
    record = _filled(
        prov__type=_typed("cs:Source"), prov__label=row["title"] or f"{row['kind']} {row['id']}",
        cs__kind=row["kind"], cs__sha256=row["sha256"], cs__scope=row["scope"], cs__external_id=row["external_id"],
        cs__conversation=row["conversation"], cs__purged=True if row["purged_at"] else None,
    )  # fmt: skip
    yield _source_id(row["id"]), record | ({"cs:sent_at": _time(row["sent_at"])} if row["sent_at"] else {})


def _claim(row: Shape) -> Named:
    yield (
        f"cs:{row['ref']}",
        _filled(
            prov__type=_typed("cs:Claim"), prov__label=row["ref"], prov__value=row["statement"], cs__kind=row["kind"],
            cs__status=row["status"], cs__scope=row["scope"], cs__key=row["key"], cs__layer=row["layer"],
            cs__rule=row["rule"], cs__extractor=" ".join(filter(None, (row["extractor"], row["extractor_version"]))),
        ),
    )  # fmt: skip
    for words in row["evidence"]:
        yield (
            f"cs:quote-{words['id']}",
            _filled(
                prov__type=_typed("cs:Quote"), prov__value=words["quote"], cs__start=words["start"],
                cs__end=words["end"], cs__speaker=words["speaker"], cs__stance=words["stance"],
            ),
        )  # fmt: skip


def _trusted(row: Shape) -> Named:
    record = _filled(
        prov__type=_typed("cs:TrustedState"), prov__label=f"{row['key']} ({row['ref']})", prov__value=row["statement"],
        cs__status=row["status"], cs__scope=row["scope"], cs__key=row["key"],
    )  # fmt: skip
    yield f"cs:{row['ref']}", record


def _activity(row: Shape) -> Named:
    record = _filled(
        prov__startTime=row["at"].isoformat(), prov__endTime=row["at"].isoformat(),
        prov__type=_typed(f"cs:{quote(row['verb'], safe='')}"), cs__door=row["door"], cs__reason=row["reason"],
        cs__scope=row["scope"], cs__batch=str(row["batch"] or ""),
    )  # fmt: skip
    yield f"cs:event-{row['id']}", record


def _actor(row: Shape) -> Named:
    actor = row["actor"]
    software = actor["kind"] != "human"
    kind = _typed("prov:SoftwareAgent" if software else "prov:Person")
    yield _agent_id(actor["kind"], actor["name"]), _filled(prov__type=kind, prov__label=actor["name"])


def _sender(row: Shape) -> Named:
    if row["sender"]:
        software = row["sender_kind"] in ("agent", "tool", "system")
        kind = _typed("prov:SoftwareAgent" if software else "prov:Person")
        yield _agent_id(row["sender_kind"], row["sender"]), _filled(prov__type=kind, prov__label=row["sender"])


def _attributed(row: Shape) -> Named:
    if row["sender"]:
        agent = _agent_id(row["sender_kind"], row["sender"])
        yield f"_:by-{row['id']}", {"prov:entity": _source_id(row["id"]), "prov:agent": agent}


def _associated(row: Shape) -> Named:
    agent = _agent_id(row["actor"]["kind"], row["actor"]["name"])
    yield f"_:did-{row['id']}", {"prov:activity": f"cs:event-{row['id']}", "prov:agent": agent}


def _generated(row: Shape) -> Named:
    made = [
        _source_id(change["row"]) for change in row["changes"] if change["noun"] == "source" and not change["before"]
    ]
    if row["verb"] in _GENERATES and _REF.fullmatch(row["ref"]):
        made = [f"cs:{row['ref']}"]
    for at, entity in enumerate(made if row["verb"] in _GENERATES | {"ingest"} else ()):
        record = {"prov:entity": entity, "prov:activity": f"cs:event-{row['id']}", "prov:time": row["at"].isoformat()}
        yield f"_:made-{row['id']}-{at}", record


def _used(row: Shape) -> Named:
    if row["verb"] not in _GENERATES and _REF.fullmatch(row["ref"]):
        record = {
            "prov:activity": f"cs:event-{row['id']}", "prov:entity": f"cs:{row['ref']}",
            "prov:time": row["at"].isoformat(),
        }  # fmt: skip
        yield f"_:used-{row['id']}", record


def _informed(row: Shape) -> Named:
    if row["undoes"]:
        record = {"prov:informed": f"cs:event-{row['id']}", "prov:informant": f"cs:event-{row['undoes']}"}
        yield f"_:undoes-{row['id']}", record


def _claim_derived(row: Shape) -> Named:
    for words in row["evidence"]:
        quoted = f"cs:quote-{words['id']}"
        yield f"_:rests-{words['id']}", _derivation(f"cs:{row['ref']}", quoted)
        yield f"_:quotes-{words['id']}", _derivation(quoted, _source_id(words["source"]), "prov:Quotation")
    if row["successor"] and row["status"] == "superseded":
        yield f"_:replaces-{row['ref']}", _derivation(f"cs:{row['successor']}", f"cs:{row['ref']}", "prov:Revision")


def _trusted_derived(row: Shape) -> Named:
    for at, ref in enumerate(row["cites"]):
        yield f"_:cites-{row['ref']}-{at}", _derivation(f"cs:{row['ref']}", f"cs:{ref}")
    if row["replaces"]:
        yield f"_:replaces-{row['ref']}", _derivation(f"cs:{row['ref']}", f"cs:{row['replaces']}", "prov:Revision")


def _derivation(made: str, used: str, kind: str = "") -> Shape:
    typed = {"prov:type": _typed(kind)} if kind else {}
    return {"prov:generatedEntity": made, "prov:usedEntity": used} | typed


def _source_derived(row: Shape) -> Named:
    if row["replaces"]:
        yield (
            f"_:version-{row['id']}",
            _derivation(_source_id(row["id"]), _source_id(row["replaces"]), "prov:Revision"),
        )


SECTIONS: Final[dict[str, dict[str, Callable[[Shape], Named]]]] = {
    "entity": {"source": _source, "claim": _claim, "trusted": _trusted},
    "activity": {"event": _activity},
    "agent": {"source": _sender, "event": _actor},
    "wasAttributedTo": {"source": _attributed},
    "wasAssociatedWith": {"event": _associated},
    "wasGeneratedBy": {"event": _generated},
    "used": {"event": _used},
    "wasInformedBy": {"event": _informed},
    "wasDerivedFrom": {"source": _source_derived, "claim": _claim_derived, "trusted": _trusted_derived},
}


def pieces(rows: RowsByType, encode: Callable[[Any], bytes]) -> Iterator[bytes]:
    """The document as pieces of one JSON text, a record a line."""
    yield b'{"prefix": ' + encode(PREFIX)
    for name, records in sections(rows):
        yield f',\n"{name}": {{'.encode()
        yield from _lines(records, encode)
        yield b"}"
    yield b"}\n"


def _lines(records: Iterable[tuple[str, Shape]], encode: Callable[[Any], bytes]) -> Iterator[bytes]:
    between = b"\n"
    for name, record in records:
        yield between + encode(name) + b": " + encode(record)
        between = b",\n"
