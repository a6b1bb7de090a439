"""The API, assembled from the rooms' routers."""

import json
import re
from typing import Any, override

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation

from config import health
from config.api_errors import PROBLEM_RESPONSE, PROBLEM_SCHEMA, install
from config.api_request import Caller, StrictParser, known_parameters, storable_body
from config.chats.api import router as chats_router
from config.replica import read_from_standby
from extraction.api import router as extraction_router
from ledger.actions.idempotency import LONGEST_KEY
from ledger.actions.locking import retry_lost_races
from review.api import router as review_router


class Docs(DocsBase):
    """The bundled Swagger pages, started by a file of our own: nothing inline, nothing from elsewhere."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        return render(request, "api_docs.html", {"openapi_url": self.get_openapi_url(api, kwargs), "api": api})


# How pydantic calls the pages of a list, which clients call by what is listed.
PAGE_OF = re.compile(r"PageShape_(\w+?)Shape_")
METHODS_THAT_WRITE = {"post", "put", "patch", "delete"}
# These write nothing, or nothing new when they are repeated, and pass an Idempotency-Key over.
WITHOUT_KEY = {
    "post_context", "post_check", "simulate_policy", "erase_in_scope", "post_feed", "delete_feed", "put_policy", "patch_scope",
    "put_member", "delete_member", "patch_webhook", "delete_webhook", "post_telegram", "post_slack",
    "post_chat", "delete_chat",
}  # fmt: skip
KEY_PARAMETER = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Any word of the caller's own, kept for a day. The same key and body: the same status and rows, nothing"
    " written. The same key and another body: 409.",
    "schema": {"type": "string", "maxLength": LONGEST_KEY},
}


class Api(NinjaAPI):
    """Every operation may answer with a problem, and a write takes a key, which its schema says."""

    @override
    def get_openapi_operation_id(self, operation: Operation) -> str:
        """The function's own name: generated clients make a function of it."""
        return operation.view_func.__name__

    @override
    def get_openapi_schema(self, **kwargs: Any) -> OpenAPISchema:
        schema = super().get_openapi_schema(**kwargs)
        schema["components"]["schemas"]["Problem"] = PROBLEM_SCHEMA
        schema["components"]["responses"] = {"Problem": PROBLEM_RESPONSE}
        schema["components"]["parameters"] = {"IdempotencyKey": KEY_PARAMETER}
        for path in schema["paths"].values():
            for method, operation in path.items():
                responses = {str(status): response for status, response in operation["responses"].items()}
                operation["responses"] = responses | {"default": {"$ref": "#/components/responses/Problem"}}
                if method in METHODS_THAT_WRITE and operation["operationId"] not in WITHOUT_KEY:
                    operation["parameters"].append({"$ref": "#/components/parameters/IdempotencyKey"})
        schema.update(json.loads(PAGE_OF.sub(r"\1Page", json.dumps(schema))))
        for name, component in schema["components"]["schemas"].items():
            component["title"] = name
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
# The first is the innermost. To try again is safe because what failed was one transaction, rolled back.
api.add_decorator(retry_lost_races, mode="operation")
api.add_decorator(read_from_standby, mode="operation")
api.add_decorator(storable_body, mode="operation")
api.add_decorator(known_parameters, mode="operation")
api.add_router("", health.router)
api.add_router("", extraction_router)
api.add_router("", review_router)
api.add_router("", chats_router)
