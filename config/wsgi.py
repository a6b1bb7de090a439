"""The web process."""

import multiprocessing
import os
import signal

from config.embedded import process

if "COUNTERSIGN_SUPERVISED" in os.environ:
    # A server process whose master was killed, be it while this one still started, would hold the port. Asked first of all.
    master = multiprocessing.parent_process()
    process.end_with_parent(signal.SIGKILL, master.pid if master else None)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.core.wsgi import get_wsgi_application  # noqa: E402 - the request above comes first

application = get_wsgi_application()

from config.chats.services import TELEGRAM  # noqa: E402 - once the models are there

# A large package is not read in while Telegram waits for an answer.
TELEGRAM.read_in()
