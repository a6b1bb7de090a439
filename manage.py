#!/usr/bin/env python
"""Run a command: `uv run manage.py up` starts everything, `uv run manage.py help` lists the rest. Without uv,
`python3 manage.py up` and `python3 manage.py pytest` do the same in an environment of their own."""

import os
import sys

from config import bootstrap

if __name__ == "__main__":
    if not bootstrap.prepared():
        bootstrap.enter(sys.argv[1:])
    if sys.argv[1:2] == ["pytest"]:
        os.execv(sys.executable, [sys.executable, "-m", "pytest", *sys.argv[2:]])  # noqa: S606 - no shell wanted
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)
