"""Structured logs on stderr: lines for people in a terminal, one JSON object a line otherwise."""

import logging
import sys
from typing import Any

import structlog

from config import env

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
        [structlog.dev.ConsoleRenderer()]
        if form == "console"
        else [structlog.processors.dict_tracebacks, structlog.processors.JSONRenderer()]
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
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
            "celery.beat": {"level": "WARNING"},
        },
    }
