"""Where everything is: the API, the admin, and the screens."""

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from config import sending
from config.api import api
from review.access import token_of
from review.screens.second_factor import SetPassword


@csrf_exempt
@require_POST
def mcp(request: HttpRequest) -> HttpResponse:
    """The Model Context Protocol for whoever has a token. The package is read in with its first caller: it is large."""
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or token_of(secret.strip()) is None:
        return HttpResponse("A bearer token is needed, as for the API.\n", status=401, content_type="text/plain")
    from config.mcp.server import answer_http

    return answer_http(request)


urlpatterns = [
    path("mcp", mcp, name="mcp"),
    path("api/v1/", api.urls),
    path("admin/", admin.site.urls),
    path("send", sending.send, name="send"),
    path("set-password/<uidb64>/<token>/", SetPassword.as_view(), name="set_password"),
    path("", include("review.urls")),
]
