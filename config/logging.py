"""Structured logs on stderr: lines for people in a terminal, one JSON object a line otherwise. No line holds what somebody said:
tracebacks come without the values of variables, errors without what they quote."""

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

from config import env

# What the words of an error may quote: rows that PostgreSQL refused, what a schema was given, and secrets.
QUOTED = (
    (
        re.compile(r"\n(?:DETAIL|HINT|CONTEXT|QUERY|LINE \d+):.*?(?=\n\n(?:The above|During handling)|\Z)", re.DOTALL),
        "",
    ),
    (re.compile(r"input_value=.{0,200}?, input_type"), "input_type"),
    (re.compile(r"\bcs_[\w-]{12,200}"), "cs_…"),
    (re.compile(r"(?i)\b(bearer|password|passwd|secret|api_?key)(\W{1,3})\S{4,200}"), r"\1\2…"),
    (re.compile(r"\b\d{5,15}:[\w-]{30,60}|(?<=/telegram/)[\w-]+"), "…"),
    (re.compile(r"://[^\s/@:]{0,100}:[^\s/@]{1,200}@"), "://…@"),
)
NOTHING_LOCAL = structlog.tracebacks.ExceptionDictTransformer(show_locals=False, max_frames=30)


def scrubbed(value: Any) -> Any:
    """The same without people's words and secrets, as far as they can be told; in lists and objects too."""
    if isinstance(value, str):
        for pattern, instead in QUOTED:
            value = pattern.sub(instead, value)
        return value
    if isinstance(value, dict):
        return {name: scrubbed(one) for name, one in value.items()}
    return [scrubbed(one) for one in value] if isinstance(value, list | tuple) else value


def scrub(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """The last step before a line is written."""
    for name in event:
        event[name] = scrubbed(event[name])
    return event


SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
]


def configure() -> dict[str, Any]:
    """Set structlog up and return Django's LOGGING. COUNTERSIGN_LOG is `console`, `json`, or unset for what fits;
    COUNTERSIGN_LOG_LEVEL defaults to INFO."""
    form = env.text("COUNTERSIGN_LOG") or ("console" if sys.stderr.isatty() else "json")
    level = env.text("COUNTERSIGN_LOG_LEVEL", "INFO").upper()
    if level not in logging.getLevelNamesMapping():
        level = "INFO"
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    ending: list[Any] = (
        [structlog.processors.format_exc_info, scrub, structlog.dev.ConsoleRenderer()]
        if form == "console"
        else [structlog.processors.ExceptionRenderer(NOTHING_LOCAL), scrub, structlog.processors.JSONRenderer()]
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": SHARED,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *ending],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django.server": {"handlers": ["stderr"], "level": level, "propagate": False},
            "django": {"handlers": ["stderr"], "level": level, "propagate": False},
            "httpx": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
            "celery.beat": {"level": "WARNING"},
        },
    }
