"""The API of sources and runs."""

from ninja import Router

from extraction.api import runs, sources

router = Router()
router.add_router("", sources.router)
router.add_router("", runs.router)
