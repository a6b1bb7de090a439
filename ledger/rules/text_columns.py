"""Every column of the database that can hold text, and what a purge does about it (law 1).

A test compares this list with the columns that there are: a new one fails it until somebody decides where it belongs, and
writes what follows into `ledger_purge_source`.
"""

from typing import Final

# Words of a source, or made of them: a purge blanks these wherever they come from the source alone.
BLANKED: Final[dict[str, tuple[str, ...]]] = {
    "ledger_source": ("text", "title"),
    "ledger_section": ("name", "heading_path"),
    "ledger_evidence": ("quote",),
    "ledger_claim": (
        "statement", "value", "value_type", "key", "topic", "subject", "tags", "assignee", "summary", "slot", "dedup", "proposed",
        "names_replaced", "downstream", "anchors_to_choose", "search",
    ),
    "ledger_conflict": ("slot",),
    "ledger_journalevent": ("reason", "salt"),
    "ledger_journalchange": ("before", "after"),
    "ledger_run": ("raw_answer", "error", "stats"),
    "ledger_runhit": ("hit", "why"),
    "ledger_tokenvectors": ("vectors", "meaning"),
    "ledger_statementvector": ("meaning",),
    "ledger_gate": ("patterns",),
    "ledger_pattern": ("description",),
    "ledger_notice": ("text",),
    "ledger_priceobservation": ("supplier",),
    "django_admin_log": ("object_repr", "change_message"),
}  # fmt: skip

# Typed by a person about the world, not taken from a source: it stays, and whoever typed it takes it back (P14).
TYPED: Final[dict[str, tuple[str, ...]]] = {
    "ledger_trustedstate": ("key", "value", "statement"),
    "ledger_scope": ("name", "path", "stage", "policies", "packs", "allowed_endpoints", "timezone", "priors"),
    "ledger_person": ("name", "aliases", "role", "accounts"),
    "ledger_wave": ("label",),
    "ledger_catalogitem": ("name", "unit"),
    "ledger_synonym": ("name",),
    # Of a name that somebody asked about; what a claim says stays with the claim.
    "ledger_cataloglink": ("name", "form"),
    "ledger_priceobservation": ("name", "form", "unit"),
    "ledger_pack": ("name", "version", "content", "digest"),
    "ledger_kind": ("name", "pack", "layer", "prefix", "anchors", "value_type"),
    "auth_user": ("username", "first_name", "last_name", "email", "password"),
    "auth_group": ("name",),
    "review_savedview": ("name", "query"),
    "review_digest": ("webhook",),
    "ledger_calendarfeed": ("name",),
    "ledger_webhook": ("url", "host"),
    "review_agenttoken": ("name", "grants", "scopes", "speakers", "kind", "prefix", "sha256", "created_by"),
}

# Names, references, hashes and words of a fixed list: who, where, when and of which kind, never what was said.
NAMES: Final[dict[str, tuple[str, ...]]] = {
    # Of secrets: where they stand, and of which kind.
    "ledger_source": ("secrets", "kind", "sender", "sender_kind", "sha256", "external_id", "reply_to", "dedup"),
    "ledger_section": ("speaker",),
    "ledger_conversation": ("external_id", "title"),
    "ledger_evidence": ("secrets", "speaker", "quote_sha256", "stance", "anchor"),
    "ledger_claim": (
        "ref", "layer", "kind", "status", "confidence_word", "rule", "extractor", "extractor_version",
    ),
    "ledger_conflict": ("status",),
    "ledger_dispute": ("status",),
    "ledger_approval": ("by", "content", "status"),
    "ledger_chatlink": ("door", "bot", "chat", "status", "made_by"),
    # `answers`, `edits` and `message` are ids that the service gave.
    "ledger_chatpost": ("kind", "answers", "edits", "by", "status", "message", "error"),
    "ledger_chatupdate": ("door", "bot", "number"),
    "ledger_chatcode": ("door", "account", "sha256"),
    "ledger_handover": ("to", "by", "status"),
    "ledger_keptapart": ("by", "status"),
    "ledger_trustedstate": ("ref", "cites", "status", "by"),
    "ledger_statementvector": ("ref",),
    # An erasure blanks what it was asked for.
    "ledger_erasure": ("target", "by", "status"),
    "ledger_journalevent": ("verb", "actor_kind", "actor_name", "door", "ref", "request_id"),
    "ledger_journalchange": ("noun",),
    "ledger_seal": ("digest", "payload_digest"),
    "ledger_run": ("input_hash", "extractor", "extractor_version", "status", "model", "requested_by", "waits_for"),
    "ledger_runhit": ("fate",),
    "ledger_gate": ("stage", "type", "decision"),
    "ledger_pattern": ("ref", "type", "dedup"),
    "ledger_notice": ("rule", "matter", "refs"),
    "ledger_block": ("key", "author"),
    "ledger_blockrevision": ("author", "changes"),
    "ledger_member": ("role",),
    "ledger_scope": ("tier", "secrets"),
    "ledger_wave": ("by",),
    "ledger_catalogitem": ("status",),
    "ledger_synonym": ("status",),
    "ledger_cataloglink": ("confirmed_by", "status"),
    "ledger_priceobservation": ("currency", "status"),
    "ledger_exposure": ("channel", "conversation", "refs", "shown_to"),
    "ledger_outcome": ("conversation", "type", "reported_by"),
    "ledger_evaluation": ("gold", "measure", "version", "by", "figures"),
    "ledger_idempotencyrecord": ("caller", "route", "key", "body_sha256", "outcome"),
    "review_digest": ("key", "error"),
    "review_agreementsample": ("made_by",),
    "review_blindanswer": ("verdict",),
    "ledger_calendarfeed": ("sha256", "prefix", "status", "made_by"),
    "ledger_webhook": ("verbs", "status", "key", "made_by"),
    "ledger_webhookdelivery": ("message", "type", "ref", "error"),
    # What makes codes together with the server's own key, hashes, and the public halves of passkeys.
    "otp_totp_totpdevice": ("name", "key"),
    "otp_static_staticdevice": ("name",),
    "otp_static_statictoken": ("token",),
    "review_passkey": ("name", "host", "credential"),
    # Counters under hashed names; the tables of the library that counts stay empty.
    "review_signins": ("cache_key", "value"),
    "axes_accessattempt": (
        "user_agent", "username", "http_accept", "path_info", "get_data", "post_data",
    ),
    "axes_accesslog": ("user_agent", "username", "http_accept", "path_info", "session_hash"),
    "axes_accessfailurelog": ("user_agent", "username", "http_accept", "path_info"),
    "extraction_modelcall": ("host", "model", "packs", "outcome"),
    "extraction_modelday": ("owner",),
    "auth_permission": ("codename", "name"),
    "django_admin_log": ("object_id",),
    "django_content_type": ("app_label", "model"),
    "django_migrations": ("app", "name"),
    "django_session": ("session_key", "session_data"),
    # Signed and encoded; the browser's own name for itself among it.
    "review_browsersession": ("session_key", "session_data"),
}  # fmt: skip
