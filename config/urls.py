"""Where everything is: the API, the admin, and the screens."""

from django.contrib import admin
from django.urls import include, path

from config.api import api

urlpatterns = [
    path("api/v1/", api.urls),
    path("admin/", admin.site.urls),
    path("", include("review.urls")),
]
