"""Keep a pack file as a versioned row, and its kinds as the database's laws know them."""

from django.db import transaction

from ledger.errors import Invalid
from ledger.models import Kind, Pack
from ledger.packs import parse


def load_pack(raw: bytes, *, file: str) -> Pack:
    """The row of this exact content, made when it is new. A kind belongs to the pack that defined it first."""
    content, digest = parse(raw, file=file)
    name, version = content["pack"]["name"], content["pack"]["version"]
    known = Pack.objects.filter(name=name, digest=digest).first()
    if known:
        return known
    with transaction.atomic():
        for kind in content.get("kinds", []):
            owner = Kind.objects.filter(name=kind["name"]).exclude(pack=name).first()
            if owner:
                raise Invalid(f"{file}: kind {kind['name']!r} belongs to pack {owner.pack!r}", field="pack")
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
