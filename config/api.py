"""The API, assembled from the rooms' routers."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase

from config import health
from config.api_auth import Caller
from config.api_body import StrictParser, storable_body
from config.api_errors import install, tried_again
from extraction.api.router import router as extraction_router
from review.api import router as review_router
from review.api.answers import shape_row


class Docs(DocsBase):
    """The bundled Swagger pages, started by a file of our own: nothing inline, nothing from elsewhere."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        return render(request, "api_docs.html", {"openapi_url": self.get_openapi_url(api, kwargs), "api": api})


api = NinjaAPI(
    title="Countersign",
    version="1",
    description="Turns what people and agents say into state that can be trusted.",
    urls_namespace="api",
    auth=Caller(),
    parser=StrictParser(),
    docs=Docs(),
)
install(api, shape_row=shape_row)
api.add_decorator(storable_body, mode="operation")
api.add_decorator(tried_again, mode="operation")
api.add_router("", health.router)
api.add_router("", extraction_router)
api.add_router("", review_router)
