"""The API, assembled from the rooms' routers."""

from ninja import NinjaAPI

api = NinjaAPI(title="Countersign", version="1", urls_namespace="api")
