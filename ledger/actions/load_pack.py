"""Keep a pack file as a versioned row, and its kinds as the database's laws know them."""

from django.db import transaction

from ledger.models import Kind, Pack
from ledger.packs import parse, refuse


def load_pack(raw: bytes, *, file: str) -> Pack:
    """The row of this exact content, made when it is new. A kind belongs to the pack that defined it first."""
    content, digest = parse(raw, file=file)
    name, version = content["pack"]["name"], content["pack"]["version"]
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
                (("kinds", at, "name"), f"kind {kind['name']!r} belongs to pack {theirs[kind['name']]!r}")
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
        return Pack.objects.create(name=name, version=version, digest=digest, content=content)
