"""The screens, one line an address (contract §4)."""

from django.contrib.auth.views import LoginView, LogoutView
from django.urls import URLPattern, path

from review.screens import (
    batch,
    claims,
    conflicts,
    decide,
    help,
    journal,
    queue,
    runs,
    scopes,
    sources,
    state,
    tokens,
    undo,
)

urlpatterns: list[URLPattern] = [
    path("", queue.queue, name="queue"),
    path("candidates/decide", batch.decide_many, name="decide_many"),
    path("candidates/<str:ref>", claims.candidate, name="candidate"),
    path("candidates/<str:ref>/decide", decide.decide, name="decide"),
    path("entities", claims.entities, name="entities"),
    path("entities/<str:ref>", claims.entity, name="entity"),
    path("state", state.state, name="state"),
    path("state/curate", state.curate_value, name="curate"),
    path("state/retract", state.retract_value, name="retract"),
    path("state/<str:ref>", state.trusted, name="trusted"),
    path("conflicts", conflicts.conflict_list, name="conflicts"),
    path("conflicts/<int:pk>", conflicts.settle_conflict, name="settle_conflict"),
    path("sources/<int:pk>", sources.source, name="source"),
    path("runs", runs.run_list, name="runs"),
    path("runs/<int:pk>", runs.run, name="run"),
    path("runs/<int:pk>/retry", runs.retry, name="retry"),
    path("runs/<int:pk>/admit", runs.admit_hits, name="admit"),
    path("scopes", scopes.scope_list, name="scopes"),
    path("scopes/<path:path>", scopes.scope, name="scope"),
    path("change/<path:path>", scopes.change_scope, name="change_scope"),
    path("journal", journal.journal_list, name="journal"),
    path("journal/<int:pk>/undo", undo.undo_event, name="undo_event"),
    path("journal/batch/<uuid:batch>/undo", undo.undo_many, name="undo_batch"),
    path("tokens", tokens.token_list, name="tokens"),
    path("tokens/make", tokens.make_token, name="make_token"),
    path("tokens/<int:pk>/revoke", tokens.revoke, name="revoke"),
    path("help", help.help_page, name="help"),
    path("help/keys", help.keys, name="keys"),
    path("login/", LoginView.as_view(template_name="review/sign_in.html"), name="sign_in"),
    path("logout/", LogoutView.as_view(), name="sign_out"),
]
