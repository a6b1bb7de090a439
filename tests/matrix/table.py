"""Who may do what, once: the contract's table, the callers, and a row for every endpoint and every screen.

Nothing here is computed from the code under test. `test_endpoints.py` and `test_screens.py` fail for an address without
a row.
"""

from dataclasses import dataclass
from typing import Any

from tests.matrix.callers import ONCE, RIGHTS, USER_GRANTS, Caller


@dataclass(frozen=True, slots=True)
class Row:
    """One request and who may make it. `on` names what it is about (a method of `ground.Ground`, made anew for every
    success), whose fields fill `query` and `body`. `status` is that of a success, which leaves the journal event or the
    log line `leaves` and the claim in state `becomes`. `lists`: names things, so that readers and nobody else find them.
    `unseen` is the answer where 404 would give a whole batch up; `unseen_by_agents` the same for agents.
    """

    name: str
    may: str
    on: str = "place"
    query: str = ""
    body: Any = None
    status: int = 200
    leaves: str = ""
    becomes: str = ""
    lists: bool = False
    unseen: int = 404
    unseen_by_agents: int = 0

    @property
    def takes_a_form(self) -> bool:
        """Whether it changes something for a session, and so wants the token of the page. An endpoint that is anybody's tells
        its callers by a secret of its own."""
        return not self.name.startswith("GET ") and (self.may != "anybody" or "/" not in self.name)


HERE = "scope={scope}"
CLAIM = {"scope": "{scope}", "kind": "fact", "statement": "{words}"}
QUOTED = {**CLAIM, "evidence": [{"source": "{source}", "quote": "{quote}"}]}
WAVE = {"scope": "{scope}", "label": "{words}", "sources": [{"text": "{words}"}]}
EVENTS = [{"type": "tool", "text": "{words}"}]
OUTCOME = {"scope": "{scope}", "conversation": "shift", "type": "tool_success"}
QUESTION = {"scope": "{scope}", "query": "heronry"}
TRUSTED = {"scope": "{scope}", "statement": "{words}"}

ENDPOINTS = [
    Row("GET /health/live", "anybody"),
    Row("GET /health/ready", "anybody"),
    Row("GET /health", "known"),
    # Off unless the server was started with figures on (tests/config/test_metrics.py turns them on).
    Row("GET /metrics", "known", status=404),
    # Scopes and people
    Row("GET /scopes", "known", lists=True),
    Row("GET /scopes", "read", query=HERE, lists=True),
    Row("POST /scopes", "administer", body={"scope": "{new}", "tier": "item"}, status=201, leaves="create_scope"),
    Row("GET /scope", "read", query=HERE),
    Row("PATCH /scope", "administer", query=HERE, body={"stage": "{words}"}, leaves="update_scope"),
    Row("PUT /scope/members/{username}", "administer", "guest", body={"scope": "{scope}", "role": "viewer"}, leaves="set_member"),
    Row("DELETE /scope/members/{username}", "administer", "member", query=HERE, leaves="remove_member"),
    Row("POST /scope/erase", "administer", body={"scope": "{scope}", "source": "{source}"}, on="source", leaves="erase"),
    Row("POST /scope/erase", "administer", body={"scope": "{scope}", "person": "nobody here"}),
    Row("GET /scope/people", "read", query=HERE),
    Row("POST /scope/people", "administer", body={"scope": "{scope}", "name": "{words}"}, status=201, leaves="add_person"),
    Row("GET /scope/keys", "read", query=HERE),
    Row("GET /scope/state", "read", "held", query=HERE, lists=True),
    Row("GET /scope/figures", "read", query=HERE),
    Row("GET /scope/tidying", "read", "alike", query=HERE, lists=True),
    Row("GET /scope/blocks", "read", "block", query=HERE, lists=True),
    Row("GET /scope/blocks/{key}", "read", "block", query=HERE, lists=True),
    Row("GET /scope/blocks/{key}/history", "read", "block", query=HERE),
    # Items
    Row("GET /items", "read", "item", query=HERE, lists=True),
    Row("GET /items/{id}", "read", "item", lists=True),
    Row("PUT /items/{id}/fields/{key}", "decide", "item", body={"value": "{words}"}, leaves="override"),
    Row("DELETE /items/{id}/fields/{key}", "decide", "item", leaves="release"),
    Row("GET /scope/mirror.md", "read", "held", query=HERE, lists=True),
    Row("GET /scope/export", "read", "held", query=HERE, lists=True),
    Row("GET /scope/policies", "read", query=HERE),
    Row("GET /scope/policies/{name}", "read", "proposing", query=HERE, lists=True),
    Row("PUT /scope/policies/{name}", "administer", "policy", body={"scope": "{scope}", "on": True}, leaves="update_scope"),
    Row("POST /scope/policies/simulate", "administer+read", "proposing", body={"scope": "{scope}", "name": "{name}"}, lists=True),
    Row("POST /scope/policies/{name}/undo", "decide", "by_policy", body={"scope": "{scope}"}, leaves="undo", becomes="pending"),
    Row("GET /scope/webhooks", "administer", "webhook", query=HERE),
    Row("POST /scope/webhooks", "administer", body={"scope": "{scope}", "url": "https://example.org/"}, status=201,
        leaves="add_webhook"),
    Row("GET /scope/webhooks/{id}", "administer", "webhook"),
    Row("PATCH /scope/webhooks/{id}", "administer", "webhook", body={"words": True}, leaves="change_webhook"),
    Row("DELETE /scope/webhooks/{id}", "administer", "webhook", leaves="remove_webhook"),
    Row("GET /scope/webhooks/{id}/deliveries", "administer", "webhook"),
    # Sources and runs
    Row("POST /sources", "send", body={"scope": "{scope}", "text": "{words}"}, status=201, leaves="ingest"),
    Row("POST /turns", "send", body={"scope": "{scope}", "agent_output": "{words}"}, status=201, leaves="ingest"),
    Row("POST /episodes", "send", body={"scope": "{scope}", "events": EVENTS}, status=201, leaves="ingest"),
    Row("GET /sources/{source_id}", "read", "source", lists=True),
    Row("GET /sources/{source_id}/evidence", "read", "held", lists=True),
    Row("GET /sources/{source_id}/ledger", "read", "source"),
    Row("POST /sources/{source_id}/extract", "send", "source", body={"force": True}, status=202, leaves="run"),
    Row("POST /sources/{source_id}/extract", "send+read", "source", body={"dry_run": True}, lists=True),
    Row("POST /conversations/{conversation}/extract", "send", "numbered_thread", body={"force": True}, status=202, leaves="run"),
    Row("POST /conversations/{conversation}/extract", "send", "thread", HERE, {"force": True}, 202, "run"),
    Row("POST /conversations/{conversation}/extract", "send+read", "numbered_thread", body={"dry_run": True}, lists=True),
    Row("GET /runs", "known", "failed_run", lists=True),
    Row("GET /runs", "read", "failed_run", query=HERE, lists=True),
    Row("GET /runs/{run_id}", "read", "failed_run", lists=True),
    Row("POST /runs/{run_id}/retry", "send", "failed_run", status=202, leaves="queued"),
    Row("POST /runs/{run_id}/admit", "propose", "held_back", body={"hits": [1]}, leaves="admit"),
    Row("GET /gates", "read", "source", query="source={source_id}"),
    Row("GET /gates", "read", "failed_run", query="run={run_id}"),
    Row("GET /waves", "known", "wave", lists=True),
    Row("GET /waves", "read", "wave", query=HERE, lists=True),
    Row("POST /waves", "send", body=WAVE, status=201, leaves="ingest"),
    Row("GET /waves/{wave_id}", "read", "wave", lists=True),
    Row("POST /waves/{wave_id}/extract", "send", "wave", body={"force": True}, status=202, leaves="run"),
    Row("POST /waves/{wave_id}/extract", "send+read", "wave", body={"dry_run": True}, lists=True),
    Row("GET /waves/{wave_id}/report/{file}", "read", "wave", lists=True),
    # Candidates
    Row("GET /candidates", "known", "waiting", lists=True),
    Row("GET /candidates", "read", "waiting", query=HERE, lists=True),
    Row("POST /candidates", "propose", body=CLAIM, status=201, leaves="propose"),
    Row("POST /candidates", "propose", "source", body=QUOTED, status=201, leaves="propose"),
    Row("GET /candidates/{id}", "read", "waiting", lists=True),
    Row("PATCH /candidates/{id}", "decide", "waiting", body={"topic": "{words}"}, leaves="edit", becomes="pending"),
    Row("POST /candidates/{id}/promote", "decide", "waiting", leaves="promote", becomes="active"),
    Row("POST /candidates/{id}/reject", "decide", "waiting", leaves="reject", becomes="rejected"),
    Row("POST /candidates/{id}/defer", "decide", "waiting", leaves="defer", becomes="deferred"),
    Row("POST /candidates/{id}/reopen", "decide", "rejected", leaves="reopen", becomes="pending"),
    Row("POST /candidates/{id}/merge", "decide", "pair", body={"into": "{other}"}, leaves="merge", becomes="merged"),
    Row("POST /candidates/{id}/hand_over", "decide", "passed_on", body={"to": "{colleague}"}, leaves="hand_over"),
    Row("POST /candidates/{id}/keep_apart", "decide", "pair", body={"other": "{other}"}, leaves="keep_apart"),
    Row(
        "POST /candidates/decide", "decide", "waiting", body={"action": "reject", "ids": ["{id}"]}, leaves="reject",
        becomes="rejected", unseen=200, unseen_by_agents=403,
    ),
    # Entities, state, conflicts, journal
    Row("GET /entities", "known", "held", lists=True),
    Row("GET /entities", "read", "held", query=HERE, lists=True),
    Row("GET /entities/{id}", "read", "held", lists=True),
    Row("GET /entities/{id}/history", "read", "held", lists=True),
    Row("GET /entities/{id}/why", "read", "held", lists=True),
    Row("GET /entities/{id}/credit", "read", "held"),
    Row("POST /entities/{id}/archive", "decide", "held", leaves="archive", becomes="archived"),
    Row("POST /entities/{id}/restore", "decide", "archived", leaves="restore", becomes="active"),
    Row("POST /entities/{id}/withdraw", "decide", "held", leaves="withdraw", becomes="withdrawn"),
    Row("POST /entities/{id}/supersede", "decide", "held_pair", body={"by": "{other}"}, leaves="supersede", becomes="superseded"),
    Row("POST /entities/{id}/supersede", "decide", "held", body={"statement": "{words}"}, leaves="supersede", becomes="superseded"),
    Row("POST /entities/{id}/graduate", "decide", "memory", leaves="graduate", becomes="active"),
    Row("POST /entities/{id}/dispute", "observe", "held", body={"source": "{source}", "quote": "{quote}"}, leaves="dispute"),
    Row("POST /entities/{id}/recheck", "decide", "disputed", leaves="recheck", becomes="active"),
    Row("POST /entities/{id}/re-extract", "send", "held", leaves="run"),
    Row("GET /why", "read below", "held", query="ref={ref}", lists=True),
    Row("GET /why", "read below", "trusted", query="ref={trusted}", lists=True),
    Row("GET /why-not", "read", "rejected", query="scope={scope}&q=heronry", lists=True),
    Row("GET /state", "read", "trusted", query=HERE, lists=True),
    Row("PUT /state/{key}", "curate", body=TRUSTED, leaves="curate"),
    Row("DELETE /state/{key}", "curate", "trusted", query=HERE, leaves="retract"),
    Row("GET /conflicts", "known", "conflict", lists=True),
    Row("GET /conflicts", "read", "conflict", query=HERE, lists=True),
    Row("GET /conflicts/{id}", "read", "conflict", lists=True),
    Row("POST /conflicts/{id}/resolve", "decide", "conflict", body={"winner": "{winner}"}, leaves="resolve"),
    Row("POST /conflicts/{id}/dismiss", "decide", "conflict", leaves="dismiss"),
    Row("GET /journal", "known", "held", lists=True),
    Row("GET /journal", "read", "held", query=HERE, lists=True),
    Row("GET /journal/{id}", "read", "proposed", lists=True),
    Row("GET /journal/verify", "read somewhere"),
    Row("POST /journal/{id}/undo", "decide", "promoted", leaves="undo"),
    Row("POST /journal/{id}/undo", "observe", "dispute", leaves="undo"),
    Row("POST /journal/batch/{batch}/undo", "decide", "batch", leaves="undo"),
    Row("GET /tasks/{conversation}", "read", "thread", query=HERE),
    Row("GET /upcoming", "read", query=HERE),
    Row("GET /pending", "known", "pending_action", lists=True),
    Row("GET /pending", "read", "pending_action", query=HERE, lists=True),
    Row("GET /scope/feeds", "administer", "feed", query=HERE),
    Row("POST /scope/feeds", "administer", body={"scope": "{scope}", "name": "{words}"}, status=201, leaves="open_feed"),
    Row("DELETE /scope/feeds/{id}", "administer", "feed", leaves="end_feed"),
    Row("GET /scope/chats", "administer", "chat", query=HERE),
    Row("POST /scope/chats", "administer", "bot", body={"scope": "{scope}", "chat": "{chat}"}, status=201, leaves="link_chat"),
    Row("DELETE /scope/chats/{id}", "administer", "chat", leaves="end_chat_link"),
    Row("POST /telegram/{secret}", "anybody", "bot", status=404),
    Row("POST /slack/events", "anybody", status=401),
    Row("GET /brain/query", "read", query="scope={scope}&q=heronry"),
    Row("GET /notices", "read", query=HERE),
    Row("POST /notices/{id}/answer", "read", "notice", body={"answer": "why"}, leaves="ask_why"),
    Row("POST /notices/{id}/answer", "observe", "notice", body={"answer": "wrong"}, leaves="find_wrong"),
    Row("GET /observer/figures", "known"),
    Row("GET /observer/figures", "read", query=HERE),
    Row("GET /observer/replay", "read", "thread", query="scope={scope}&conversation={conversation}"),
    Row("GET /insights", "known"),
    Row("GET /insights", "read", query=HERE),
    # Catalogue
    Row("GET /catalogue", "known", "article", lists=True),
    Row("GET /catalogue", "read", "article", query=HERE, lists=True),
    Row("POST /catalogue", "administer", body={"scope": "{scope}", "name": "{words}"}, status=201, leaves="add_catalog_item"),
    Row("GET /catalogue/{id}", "read", "article", lists=True),
    Row("PATCH /catalogue/{id}", "administer+read", "article", body={"name": "{words}"}, leaves="change_catalog_item"),
    Row("POST /catalogue/{id}/withdraw", "administer+read", "article", leaves="withdraw_catalog_item"),
    Row("POST /catalogue/{id}/synonyms", "administer+read", "article", body={"name": "{words}"}, status=201, leaves="add_synonym"),
    Row("DELETE /catalogue/{id}/synonyms/{synonym}", "administer+read", "article", leaves="remove_synonym"),
    Row(
        "POST /catalogue/suggest", "propose+read", "article", body={"scope": "{scope}", "names": ["{name}"]},
        leaves="suggest_links",
    ),
    Row("GET /catalogue/links", "known", "suggested_link", lists=True),
    Row("GET /catalogue/links", "read", "suggested_link", query=HERE, lists=True),
    Row(
        "POST /catalogue/links", "administer+read", "article", status=201, leaves="confirm_link",
        body={"scope": "{scope}", "name": "{words}", "item": "{id}"},
    ),
    Row("POST /catalogue/links/{id}/confirm", "administer+read", "suggested_link", leaves="confirm_link"),
    Row("POST /catalogue/links/{id}/reject", "administer+read", "suggested_link", leaves="reject_link"),
    Row(
        "POST /catalogue/prices", "administer", status=201, leaves="import_prices",
        body={"scope": "{scope}", "rows": [{"name": "{words}", "supplier": "Weber", "amount": "1", "currency": "EUR"}]},
    ),
    # For agents
    Row("GET /context", "read", "held", query="scope={scope}&query=heronry", lists=True),
    Row("POST /context", "read", "held", body=QUESTION, lists=True),
    Row("GET /search", "read", "held", query="scope={scope}&q=heronry", lists=True),
    Row("POST /check", "read", body={"scope": "{scope}", "text": "{words}"}),
    Row("POST /exposures", "observe", "held", body={"scope": "{scope}", "refs": ["{ref}"]}, status=201, leaves="exposure"),
    Row("POST /outcomes", "observe", body=OUTCOME, status=201, leaves="outcome"),
    Row(
        "POST /outcomes", "observe", "source", status=201, leaves="outcome",
        body={**OUTCOME, "type": "user_corrected", "evidence": {"source": "{source}", "quote": "{quote}"}},
    ),
    Row("GET /exposures", "known", "held"),
    Row("GET /exposures", "read", "held", query=HERE),
    Row("GET /outcomes", "known", "held"),
    Row("GET /outcomes", "read", "held", query=HERE),
]  # fmt: skip

# Every decision is a button of one form.
SCREENS = [
    Row("GET sign_in", "anybody"),
    # Without a right password before it, it leads back to the sign-in.
    # Off unless a provider is named (tests/review/test_single_sign_on.py).
    Row("GET to_provider", "anybody", status=404),
    Row("GET from_provider", "anybody", status=404),
    Row("GET second_step", "anybody", status=302),
    Row("POST sign_in_again", "anybody", "waiting", body={"kept-action": "promote"}, status=401),
    Row("POST sign_out", "anybody", status=302),
    Row("GET queue", "known", "waiting", lists=True),
    Row("GET queue", "read", "waiting", query=HERE, lists=True),
    # Names only what lies on nobody else's desk.
    Row("GET ahead", "known", "waiting"),
    Row("GET ahead", "read", "waiting", query=HERE),
    Row("GET live", "known", "waiting", lists=True),
    Row("GET live", "read", "waiting", query=HERE, lists=True),
    Row("GET pulse", "known", "waiting"),
    Row("POST views", "known", body={"action": "save", "name": "mine"}, status=302),
    Row("GET digests", "known"),
    Row("POST change_digest", "administer", body={"action": "set", "scope": "{scope}", "after_hours": "48"}, status=302),
    Row(
        "POST decide_many", "decide", "waiting", body={"action": "reject", "refs": ["{ref}"], "shown": ["{ref}:1"]},
        status=302, leaves="reject", becomes="rejected", unseen=302,
    ),
    Row("GET candidate", "read", "waiting", lists=True),
    Row("GET agreements", "known"),
    Row("POST agreements", "administer", body={"scope": "{scope}", "first": "nobody", "second": "", "size": "5"}, status=422),
    Row("GET agreement", "decide", "sample"),
    Row("POST agreement", "administer", "sample", body={"action": "end"}, status=302),
    Row("GET mentions", "known"),
    Row("GET presence", "read", "waiting"),
    Row("GET alike", "read", "pair", query="into={other}", lists=True),
    Row("POST decide", "decide", "waiting", body={"action": "promote"}, status=302, leaves="promote", becomes="active"),
    Row("POST decide", "decide", "waiting", body={"action": "reject"}, status=302, leaves="reject", becomes="rejected"),
    Row("POST decide", "decide", "waiting", body={"action": "defer"}, status=302, leaves="defer", becomes="deferred"),
    Row("POST decide", "decide", "waiting", body={"action": "edit", "topic": "{words}"}, status=302, leaves="edit"),
    Row("POST decide", "decide", "rejected", body={"action": "reopen"}, status=302, leaves="reopen", becomes="pending"),
    Row("POST decide", "decide", "pair", body={"action": "merge", "into": "{other}"}, status=302, leaves="merge"),
    Row("POST decide", "decide", "passed_on", body={"action": "hand_over", "to": "{colleague}"}, status=302, leaves="hand_over"),
    Row("POST decide", "decide", "held", body={"action": "archive"}, status=302, leaves="archive", becomes="archived"),
    Row("POST decide", "decide", "held", body={"action": "withdraw"}, status=302, leaves="withdraw"),
    Row("POST decide", "decide", "archived", body={"action": "restore"}, status=302, leaves="restore", becomes="active"),
    Row("POST decide", "decide", "held_pair", body={"action": "supersede", "by": "{other}"}, status=302, leaves="supersede"),
    Row("POST decide", "decide", "memory", body={"action": "graduate"}, status=302, leaves="graduate"),
    Row("POST decide", "decide", "disputed", body={"action": "recheck"}, status=302, leaves="recheck"),
    Row(
        "POST decide", "observe", "held", body={"action": "dispute", "source": "{source}", "quote": "{quote}"}, status=302,
        leaves="dispute",
    ),
    Row("GET entities", "known", "held", lists=True),
    Row("GET entities", "read", "held", query=HERE, lists=True),
    Row("GET entity", "read", "held", lists=True),
    Row("POST read_again", "send", "held", body={}, status=302, leaves="run"),
    Row("GET state", "known", "trusted", lists=True),
    Row("GET state", "read", "trusted", query=HERE, lists=True),
    Row("GET trusted", "read below", "trusted", lists=True),
    Row("GET citable", "known", "held", query=HERE, lists=True),
    Row("POST citable", "read", "held", body={"scope": "{scope}", "find": "{words}"}, lists=True),
    Row("POST curate", "curate", body={**TRUSTED, "key": "{key}"}, status=302, leaves="curate"),
    Row("POST retract", "curate", "trusted", body={"scope": "{scope}", "key": "{key}"}, status=302, leaves="retract"),
    Row("GET record", "read", "held", lists=True),
    Row("GET conflicts", "known", "conflict", lists=True),
    Row("GET conflicts", "read", "conflict", query=HERE, lists=True),
    Row("GET conflict", "read", "conflict", lists=True),
    Row("POST settle_conflict", "decide", "conflict", body={"winner": "{winner}"}, status=302, leaves="resolve"),
    Row("POST settle_conflict", "decide", "conflict", body={}, status=302, leaves="dismiss"),
    Row("GET search", "known", "held", query="q={ref}", lists=True),
    Row("GET sources", "known", "source", lists=True),
    Row("GET sources", "read", "source", query=HERE, lists=True),
    Row("GET source", "read", "source", lists=True),
    Row("GET propose_from", "propose", "source", query="quote={quote}", lists=True),
    Row(
        "POST send_proposal", "propose", "source", body={"quote": "{quote}", "kind": "fact", "statement": "{words}"},
        status=302, leaves="propose",
    ),
    Row("GET runs", "known", "failed_run", lists=True),
    Row("GET runs", "read", "failed_run", query=HERE, lists=True),
    Row("GET run", "read", "failed_run", lists=True),
    Row("POST retry", "send", "failed_run", body={}, status=302, leaves="queued"),
    Row("GET calendar", "known"),
    Row("GET calendar", "read", "pending_action", query=HERE, lists=True),
    Row("POST calendar_feeds", "administer", body={"action": "open", "scope": "{scope}"}, leaves="open_feed"),
    Row("POST calendar_feeds", "administer", "feed", body={"action": "end", "feed": "{id}"}, status=302, leaves="end_feed"),
    # Whoever has the address reads it; the matrix has none that is right.
    Row("GET feed", "anybody", "feed", status=404),
    Row("GET observer", "known"),
    Row("GET observer", "read", query=HERE),
    Row("POST answer_notice", "read", "notice", body={"answer": "why"}, status=302, leaves="ask_why"),
    Row("POST answer_notice", "observe", "notice", body={"answer": "right"}, status=302, leaves="find_right"),
    Row("GET waves", "known", "wave", lists=True),
    Row("GET waves", "read", "wave", query=HERE, lists=True),
    Row("GET wave", "read", "wave", lists=True),
    Row("POST read_wave", "send", "wave", body={"force": "yes"}, status=302, leaves="run"),
    Row("POST admit_from_wave", "propose", "wave", body={"hits": "{hit}"}, status=302, leaves="admit"),
    Row("POST admit", "propose", "held_back", body={"hits": "1"}, status=302, leaves="admit"),
    Row("GET scopes", "known", lists=True),
    Row("GET scope", "read", lists=True),
    Row(
        "POST change_scope", "administer", "guest", body={"action": "member", "username": "{username}", "role": "viewer"},
        status=302, leaves="set_member",
    ),
    Row(
        "POST change_scope", "administer", "member", body={"action": "leave", "username": "{username}"}, status=302,
        leaves="remove_member",
    ),
    Row("POST change_scope", "administer", body={"action": "person", "name": "{words}"}, status=302, leaves="add_person"),
    Row(
        "POST change_scope", "administer", body={"action": "child", "path": "{leaf}", "tier": "item"}, status=302,
        leaves="create_scope",
    ),
    Row(
        "POST change_scope", "administer", body={"action": "settings", "name": "{words}", "timezone": "UTC"}, status=302,
        leaves="update_scope",
    ),
    Row("GET tidying", "decide", "alike", lists=True),
    Row("POST tidying", "decide", "alike", body={"action": "merge", "ref": "{ref}", "into": "{into}"}, status=302, leaves="merge"),
    Row(
        "POST tidying", "decide", "alike", body={"action": "apart", "ref": "{ref}", "into": "{into}"}, status=302,
        leaves="keep_apart",
    ),
    Row("GET erasure", "administer"),
    Row("POST erasure", "administer", "source", body={"source": "{source}", "action": "look"}),
    Row("POST erasure", "administer", "source", body={"source": "{source}", "action": "erase"}, status=302, leaves="erase"),
    Row("GET chats", "read", "chat"),
    Row("POST chats", "administer", "chat", body={"action": "end", "link": "{id}"}, status=302, leaves="end_chat_link"),
    Row("GET webhooks", "administer", "webhook"),
    Row("POST webhooks", "administer", body={"action": "add", "url": "https://example.org/", "verbs": ["promoted"]},
        leaves="add_webhook"),
    Row("POST webhooks", "administer", "webhook", body={"action": "off", "hook": "{id}"}, status=302, leaves="change_webhook"),
    Row("POST webhooks", "administer", "webhook", body={"action": "remove", "hook": "{id}"}, status=302, leaves="remove_webhook"),
    Row("GET policies", "read", "proposing", lists=True),
    Row("POST policies", "administer", body={"policy": "first_person", "action": "off"}, status=302, leaves="update_scope"),
    Row("POST policies", "administer+read", "proposing", body={"policy": "{name}", "action": "try", "threshold": "0.8",
        "act": "propose", "classes": ["heading"], "speakers": ["user"], "days_back": "7"}, lists=True),
    Row("POST policies", "decide", "proposing", body={"policy": "{name}", "action": "promote", "refs": "{ref}"}, status=302,
        leaves="promote", becomes="active"),
    Row("POST policies", "decide", "by_policy", body={"policy": "{name}", "action": "undo", "since": ""}, status=302,
        leaves="undo", becomes="pending"),
    Row("GET items", "known"),
    Row("GET items", "read", "item", query=HERE, lists=True),
    Row("GET items_csv", "read", "item", query=HERE, lists=True),
    Row("GET item", "read", "item", lists=True),
    Row("POST write_field", "decide", "item", body={"key": "{key}", "value": "{words}"}, status=302, leaves="override"),
    Row("POST write_field", "decide", "item", body={"key": "{key}", "action": "release"}, status=302, leaves="release"),
    Row("GET workspace", "read", "held", lists=True),
    Row("POST workspace", "send", body={"free_chat": "{words}"}, status=302, leaves="ingest"),
    Row("GET workspace_state", "read", "waiting", lists=True),
    # Without a model nobody answers.
    Row("POST workspace_reply", "send", "turn", body={}, status=422),
    Row("GET catalogue", "known", "suggested_link", lists=True),
    Row("GET catalogue", "read", "suggested_link", query=HERE, lists=True),
    Row("GET catalogue_item", "read", "article", lists=True),
    Row(
        "POST change_catalogue", "administer", body={"action": "add", "scope": "{scope}", "name": "{words}"}, status=302,
        leaves="add_catalog_item",
    ),
    Row("POST change_catalogue", "administer", "suggested_link", body={"action": "link", "link": "{id}"}, status=302,
        leaves="confirm_link"),
    Row("GET insights", "known"),
    Row("GET insights", "read", query=HERE),
    Row(
        "POST apply_prior", "administer", body={"scope": "{scope}", "rule": "{words}", "prior": "0.5"}, status=302,
        leaves="set_prior",
    ),
    Row("GET journal", "known", "held", query="events=all", lists=True),
    Row("GET journal", "read", "held", query=f"{HERE}&events=all", lists=True),
    Row("POST undo_event", "decide", "promoted", body={}, status=302, leaves="undo"),
    Row("POST undo_event", "observe", "dispute", body={}, status=302, leaves="undo"),
    Row("POST undo_batch", "decide", "batch", body={}, status=302, leaves="undo"),
    Row("GET tokens", "known", "agents_token"),
    Row(
        "POST make_token", "administer", body={"name": "{words}", "kind": "agent", "scopes": ["{scope}"], "grants": ["read"]},
        leaves="token_create",
    ),
    Row(
        "POST make_token", "read", body={"name": "{words}", "kind": "user", "scopes": ["{scope}"], "grants": ["read"]},
        leaves="token_create",
    ),
    Row(
        "POST make_token", "decide", body={"name": "{words}", "kind": "user", "scopes": ["{scope}"], "grants": ["review"]},
        leaves="token_create",
    ),
    Row("POST revoke", "administer", "agents_token", body={}, status=302, leaves="token_revoke"),
    Row("POST revoke", "administer", "users_token", body={}, status=302, leaves="token_revoke"),
    Row("GET sign_ins", "known"),
    Row("POST end_sign_in", "known", body={"handle": "nobody’s"}, status=302),
    Row("GET second_factor", "known"),
    Row("POST change_second_factor", "known", body={"action": "begin", "password": "not mine"}),
    Row("GET help", "known"),
    Row("POST keys", "known", body={"keys": "off"}, status=302),
]  # fmt: skip


def asked_of(row: Row, rows: list[Row], callers: list[Caller]) -> list[Caller]:
    """To whom the row is put: everybody, where it is the first of its right that reads or changes, else who may differ."""
    first = next(one for one in rows if (one.may, bool(one.leaves)) == (row.may, bool(row.leaves)))
    return [caller for caller in callers if row is first or (caller.name not in ONCE and may_differ(caller, row))]


def may_differ(caller: Caller, row: Row) -> bool:
    """Of the tokens with one grant, or with all but one, those whose one the row asks for: of a row that takes another grant
    in its place, or beside it, one of the two tells."""
    named = caller.name.partition(" may ")[2].removeprefix("all but ")
    if named not in USER_GRANTS:
        return True
    rights = [right for right in row.may.split("+") if right in RIGHTS] or ["read"]
    return named in [RIGHTS[right][caller.door] for right in rights]
