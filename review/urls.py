"""The screens, one line an address (contract §4)."""

from django.contrib.auth.views import LoginView, LogoutView
from django.urls import URLPattern, path

from review.screens import queue

urlpatterns: list[URLPattern] = [
    path("", queue.queue, name="queue"),
    path("login/", LoginView.as_view(template_name="review/sign_in.html"), name="sign_in"),
    path("logout/", LogoutView.as_view(), name="sign_out"),
]
