"""Two web nodes, three workers, a primary with a standby and two brokers, side by side under load; one after the other is lost:

    uv run python -m tests.failover --rounds 3

In each round a web node, a worker and the scheduler are killed and started again. Then the broker is lost for good, and at last the
primary: the standby is promoted, and everything follows by its connection string. Told are the seconds until each was back, and
whether anything acknowledged was lost, doubled or stuck, as the campaign counts it. Exits 1 where something was.

With `--apart` (as root) each part has a network namespace and an address of its own, and broker and primary are not killed but fall
off the net: nobody is told that they are gone.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.campaign.clients import Api, Client
from tests.campaign.counting import count, wait_until_quiet
from tests.failover.network import Network
from tests.failover.parts import Installation
from tests.whole import ROOT

SHOWN = 10
PAUSE_S = 3


class Drill:
    def __init__(self, installation: Installation, token: str, clients: int) -> None:
        self.installation, self.over = installation, threading.Event()
        self.times: dict[str, list[float]] = {}
        apis = [Api(url, token) for url in installation.urls.values()]
        for at in range(clients):
            apis[0]("POST", "/scopes", {"scope": f"client{at}", "tier": "project"})
        self.clients = [Client(Api(apis[at % 2].url, token), f"client{at}", self.over, at) for at in range(clients)]
        for client in self.clients:
            client.start()

    def note(self, what: str, seconds: float) -> None:
        self.times.setdefault(what, []).append(seconds)
        print(f"{what}: back after {seconds:.1f} s", flush=True)

    def pause(self) -> None:
        until = time.monotonic() + PAUSE_S
        while time.monotonic() < until:
            self.installation.tend()
            time.sleep(0.1)

    def run(self, rounds: int) -> None:
        for at in range(rounds):
            for name in (f"web{at % 2 + 1}", f"worker{at % 3 + 1}", "beat"):
                self.pause()
                self.installation.kill(name)
                if name.startswith("web"):
                    self.note("a web node", self.installation.wait_for(name))
        self.pause()
        began = time.monotonic()
        self.installation.replace_broker()
        self.note("the broker, replaced, until a source was read", self.until_read(began))
        self.pause()
        began = time.monotonic()
        self.installation.lose_primary()
        self.installation.databases[1].promote()  # type: ignore[attr-defined]
        print(f"the standby is promoted after {time.monotonic() - began:.1f} s", flush=True)
        for name in self.installation.urls:
            self.installation.wait_for(name)
        self.note("the database, failed over, until both web nodes answered", time.monotonic() - began)
        self.note("the database, failed over, until a source was read", self.until_read(began))
        self.pause()

    def until_read(self, began: float) -> float:
        """Seconds since `began` until a document sent now is read by a worker: web, database, broker and worker are back."""
        api = self.clients[0].api
        body = {"scope": "client0", "kind": "document", "text": f"## Decision: {began} is read\n", "wait": 1}
        _, answer = api("POST", "/sources", body)
        for _ in range(600):
            self.installation.tend()
            _, runs = api("GET", f"/runs?source={answer['source']['id']}")
            if runs["items"] and all(run["status"] == "succeeded" for run in runs["items"]):
                return time.monotonic() - began
            time.sleep(0.1)
        raise AssertionError("nothing is read any more")

    def told(self) -> int:
        self.over.set()
        for client in self.clients:
            while client.is_alive():
                client.join(0.2)
                self.installation.tend()
        waiting = wait_until_quiet(self.installation.database_url)
        found = count(self.installation.database_url, self.clients)
        found["stuck"] = [f"{waiting} runs still open"] * bool(waiting)
        found["stuck"] += [f"{client.scope} gave up on {what}" for client in self.clients for what in client.gave_up]
        verified = subprocess.run(
            [sys.executable, "manage.py", "verify"], cwd=ROOT, env=self.installation.environment()
        )
        print(f"{sum(client.operations for client in self.clients)} acknowledged operations")
        for name, lines in found.items():
            print(f"{name}: {len(lines)}", *lines[:SHOWN], sep="\n  ")
        for name, times in self.times.items():
            print(f"{name}: {', '.join(f'{seconds:.1f}' for seconds in times)} s")
        return int(verified.returncode != 0 or any(found.values()))


def prepare(installation: Installation) -> str:
    """The schema, by its owner, and a token for the clients."""
    os.environ |= installation.environment()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connections

    from review.tokens import provision

    call_command("migrate", interactive=False, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    token = "cs_" + "clients_of_the_drill_" * 2
    provision(username="admin", password=token, reviewer_token=token, agent_token=token + "agent")
    connections.close_all()
    return token


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--clients", type=int, default=6)
    parser.add_argument("--apart", action="store_true", help="network namespaces; broker and primary fall off the net")
    options = parser.parse_args()
    at = Path(tempfile.mkdtemp(prefix="cs-failover-"))
    at.chmod(0o755)
    installation = Installation(at, Network(options.apart))
    try:
        installation.start_services()
        token = prepare(installation)
        installation.start_nodes()
        for name in installation.urls:
            installation.wait_for(name)
        drill = Drill(installation, token, options.clients)
        drill.run(options.rounds)
        return drill.told()
    finally:
        installation.stop()
        shutil.rmtree(at, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
