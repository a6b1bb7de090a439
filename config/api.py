"""The API, assembled from the rooms' routers."""

from typing import Any, override

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase
from ninja.openapi.schema import OpenAPISchema

from config import health
from config.api_errors import PROBLEM_RESPONSE, install
from config.api_request import Caller, StrictParser, known_parameters, storable_body
from extraction.api import router as extraction_router
from ledger.actions.locking import retry_lost_races
from review.api import router as review_router


class Docs(DocsBase):
    """The bundled Swagger pages, started by a file of our own: nothing inline, nothing from elsewhere."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        return render(request, "api_docs.html", {"openapi_url": self.get_openapi_url(api, kwargs), "api": api})


class Api(NinjaAPI):
    """Every operation may answer with a problem, which its schema says."""

    @override
    def get_openapi_schema(self, **kwargs: Any) -> OpenAPISchema:
        schema = super().get_openapi_schema(**kwargs)
        schema["components"]["responses"] = {"Problem": PROBLEM_RESPONSE}
        for path in schema["paths"].values():
            for operation in path.values():
                responses = {str(status): response for status, response in operation["responses"].items()}
                operation["responses"] = responses | {"default": {"$ref": "#/components/responses/Problem"}}
        return schema


api = Api(
    title="Countersign",
    version="1",
    description="Turns what people and agents say into state that can be trusted.",
    urls_namespace="api",
    auth=Caller(),
    parser=StrictParser(),
    docs=Docs(),
)
install(api)
api.add_decorator(storable_body, mode="operation")
api.add_decorator(known_parameters, mode="operation")
# Safe because what failed was one transaction, rolled back.
api.add_decorator(retry_lost_races, mode="operation")
api.add_router("", health.router)
api.add_router("", extraction_router)
api.add_router("", review_router)
