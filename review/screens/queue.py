"""The queue: one card open, the list beside it (contract §4)."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


@login_required
def queue(request: HttpRequest) -> HttpResponse:
    return render(request, "review/queue.html", {"here": "queue"})
