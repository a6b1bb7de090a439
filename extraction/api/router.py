"""The API of sources, runs and waves."""

from ninja import Router

from extraction.api import bundles, runs, sources, waves

router = Router()
router.add_router("", sources.router)
router.add_router("", bundles.router)
router.add_router("", runs.router)
router.add_router("", waves.router)
