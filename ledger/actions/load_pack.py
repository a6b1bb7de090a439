"""Keep a pack file as a versioned row, and its kinds as the database's laws know them."""

from functools import reduce
from operator import or_

from django.db import transaction
from django.db.models import QuerySet

from ledger.actions.patch_blocks import rebuild_blocks
from ledger.models import GLOBAL, Kind, Pack, Scope
from ledger.packs import CORE, parse, refuse
from ledger.reads.scopes import NOTHING, below


def load_pack(raw: bytes, *, file: str) -> Pack:
    """The row of this exact content, made when it is new; where it takes an earlier one's place, blocks follow. A kind belongs to
    the pack that defined it first."""
    content, digest = parse(raw, file=file)
    name, version = content["pack"]["name"], content["pack"]["version"]
    earlier = Pack.objects.filter(name=name).exists()
    known = Pack.objects.filter(name=name, digest=digest).first()
    if known:
        return known
    kinds = content.get("kinds", [])
    with transaction.atomic():
        theirs = dict(
            Kind.objects.filter(name__in=[kind["name"] for kind in kinds])
            .exclude(pack=name)
            .values_list("name", "pack")
        )
        refuse(
            [
                (
                    ("kinds", at, "name"),
                    f"kind {kind['name']!r} belongs to pack {theirs[kind['name']]!r}; give yours another name",
                )
                for at, kind in enumerate(kinds)
                if kind["name"] in theirs
            ],
            raw,
            file=file,
        )
        for kind in kinds:
            Kind.objects.update_or_create(
                name=kind["name"],
                defaults={
                    "pack": name,
                    "layer": kind["layer"],
                    "prefix": kind["prefix"],
                    "anchors": kind.get("anchors", []),
                    "many": kind.get("many", False),
                    "value_type": kind.get("value_type", ""),
                },
            )
        pack = Pack.objects.create(name=name, version=version, digest=digest, content=content)
        if earlier:
            rebuild_blocks(_scopes_with(name))
        return pack


def _scopes_with(name: str) -> QuerySet[Scope]:
    """Where the pack is in force: below every scope that names it, and the core everywhere."""
    roots = [GLOBAL] if name == CORE else Scope.objects.filter(packs__contains=[name]).values_list("path", flat=True)
    return Scope.objects.filter(reduce(or_, map(below, roots), NOTHING))
