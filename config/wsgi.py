"""The web process."""

import os
import signal

from django.core.wsgi import get_wsgi_application

from config.embedded import process

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

if "COUNTERSIGN_SUPERVISED" in os.environ:
    # A server process whose master was killed would hold the port.
    process.end_with_parent(signal.SIGKILL)

application = get_wsgi_application()

from config.chats.services import TELEGRAM  # noqa: E402 - once the models are there

# A large package is not read in while Telegram waits for an answer.
TELEGRAM.read_in()
