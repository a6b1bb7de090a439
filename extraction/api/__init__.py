"""The API of sources and runs."""

from ninja import Router

from extraction.api import bundles, runs, sources

router = Router()
router.add_router("", sources.router)
router.add_router("", bundles.router)
router.add_router("", runs.router)
