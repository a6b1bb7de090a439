"""The observer's screen: notices, what waits, a thread read again; empty, hostile, and out of sight."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from extraction.observer.live import observe
from tests.extraction.observer.test_notices import AT, thread
from tests.extraction.observer.test_replay import ROBOTICS, confirmed, house, say

__all__ = ["house"]


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client


def test_without_anything_said_it_says_so(house):
    shown = signed_in("vera").get("/observer").content.decode()
    assert "It has said nothing yet" in shown and "Nothing that was read waits" in shown and "nobody asked" in shown


def test_a_thread_shows_what_was_said_and_why_the_rest_is_silent(house):
    event = confirmed(house, ROBOTICS)
    hostile = "10:26 samira <script>alert(1)</script> great"
    say(
        house,
        "10:20 cole Dentist had a slot, grabbed 4pm today for Jude",
        hostile,
        "10:30 samira I'll get Noor from karate today",
    )
    (said,) = observe(thread(house), now=AT)
    client = signed_in("vera")
    listed = client.get("/observer?scope=studio").content.decode()
    assert said.text.split(",")[0] in listed and "family" in listed and "Samira: pick up" in listed
    shown = client.get("/observer?scope=studio&conversation=family").content.decode()
    assert "<script>alert(1)" not in shown and "&lt;script&gt;alert(1)" in shown
    assert "temporal_conflict" in shown and event.ref in shown
    assert "the tripwire stopped it" in shown or "it coordinates nothing" in shown
    assert "no conflict and nothing open" in shown


@pytest.mark.parametrize("query", ["scope=studio&conversation=none", "scope=kitchen", "scope=studio&conversation=%00"])
def test_what_is_not_there_or_out_of_sight_is_404(house, query):
    assert signed_in("vera").get(f"/observer?{query}").status_code == 404


def test_the_cost_does_not_grow_with_the_notices(house, django_assert_max_num_queries):
    confirmed(house, ROBOTICS)
    say(
        house,
        "10:20 cole Dentist had a slot, grabbed 4pm today for Jude",
        "10:30 samira I'll get Noor from karate today",
    )
    observe(thread(house), now=AT)
    client = signed_in("vera")
    client.get("/observer?scope=studio")
    with django_assert_max_num_queries(24):
        client.get("/observer?scope=studio")
