"""The API of sources, runs and waves."""

from ninja import Router

from extraction.api import bundles, observer, runs, sources, waves

router = Router()
for part in (sources, bundles, runs, waves, observer):
    router.add_router("", part.router)
