"""Kill everything for a while, under load, and count what is lost:

    uv run python -m tests.campaign --minutes 10

Eight clients send, propose, decide and take back over HTTP against an `up` of their own. Meanwhile web, worker, scheduler,
broker, database, single backends, all connections and `up` itself are killed, the broker is emptied, the disk is full for a few
seconds (where this user may mount a small one), the wall clock of all its processes jumps by up to ten hours, forwards and back
(where there is a C compiler), and the model server is slow and lies. At the end every acknowledged operation is looked for in the
database, and `verify` recomputes the journal. Exits 1 where anything was lost, doubled or stuck.
"""

import argparse
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

import psycopg

from tests import whole
from tests.campaign.clients import Api, Client
from tests.campaign.clock import shifted_clock
from tests.campaign.counting import count, wait_until_quiet
from tests.campaign.kills import Killer, small_disk
from tests.extraction.extractors.model import server

SHOWN = 10


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", default=[], help="one of the things done, such as clock; repeatable")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cs-campaign-") as folder:
        return campaign(Path(folder), options)


def campaign(folder: Path, options: argparse.Namespace) -> int:
    with server.serving() as model, small_disk(folder / "disk") as small, shifted_clock() as ahead:
        model.says(*lies())
        os.environ |= {"OPENAI_BASE_URL": model.address, "OPENAI_API_KEY": "none", "COUNTERSIGN_MODEL_TIMEOUT_S": "3"}
        instance = whole.start(folder / "disk" / "var", "--no-demo")
        killer = Killer(instance, Api(instance.url, instance.said["reviewer_token"]), small, options.seed, ahead)
        try:
            clients = work(killer, options)
            model.says(server.answers({"facts": []}))  # what waits is read at once
            failed = told(killer, clients)
            print(killer.evidence() if failed else "")
            return failed
        except (AssertionError, psycopg.OperationalError):  # `up` did not start, or its database is gone
            print(killer.evidence())
            raise
        finally:
            killer.instance.stop()


def lies() -> list[server.Reply]:
    """In turn; the last one for ever."""
    claim = {"op": "ADD", "kind": "fact", "statement": "The moon is square", "quote": "nobody said this"}
    said = (server.answers({"facts": [claim]}), server.answers("no JSON at all"))
    wrong = [*said, server.fails(503), server.resets, server.ends_early]
    return [*wrong * 40, server.slow(5, server.answers({"facts": [claim]}))]


def work(killer: Killer, options: argparse.Namespace) -> list[Client]:
    token, url = killer.instance.said["reviewer_token"], killer.instance.url
    scopes = ["probe", *(f"client{number}" for number in range(options.clients))]
    for scope in scopes:
        killer.api("POST", "/scopes", {"scope": scope, "tier": "project"})
    over = threading.Event()
    clients = [Client(Api(url, token), scope, over, options.seed + at) for at, scope in enumerate(scopes[1:])]
    for client in clients:
        client.start()
    until = time.monotonic() + options.minutes * 60
    while time.monotonic() < until:
        killer.step(options.only)
        time.sleep(killer.random.uniform(0.2, 2))
    over.set()
    for client in clients:
        client.join()
    return clients


def told(killer: Killer, clients: list[Client]) -> int:
    database = killer.instance.said["database_url"]
    waiting = wait_until_quiet(database)
    found = count(database, clients)
    found["stuck"] = [f"{waiting} runs still open"] * bool(waiting) + killer.stuck
    found["stuck"] += [f"{client.scope} gave up on {what}" for client in clients for what in client.gave_up]
    found["answered 500"] = sorted({fault for client in clients for fault in client.api.faults})
    found["answered 500"] += logged_faults(killer) if found["answered 500"] else []
    verified = killer.instance.manage("verify")
    print(
        f"{sum(map(len, killer.times.values()))} kills, {sum(one.operations for one in clients)} acknowledged operations"
    )
    for name, lines in found.items():
        print(f"{name}: {len(lines)}", *lines[:SHOWN], sep="\n  ")
    print(f"verify: {'ok' if verified.returncode == 0 else verified.stdout + verified.stderr}")
    print(f"\n{'':<18} {'times':>6} {'p50 s':>7} {'p90 s':>7} {'most s':>7}")
    for name, times in sorted(killer.times.items()):
        times.sort()
        p50, p90 = (times[int(len(times) * share)] for share in (0.5, 0.9))
        print(f"{name:<18} {len(times):>6} {p50:>7.2f} {p90:>7.2f} {times[-1]:>7.2f}")
    if not killer.disk:
        print("full disk: left out, since this user may mount no file system")
    if not killer.ahead:
        print("clock: left out, since there is no C compiler")
    return int(verified.returncode != 0 or any(found.values()))


def logged_faults(killer: Killer) -> list[str]:
    """What the web logged of a fault, by our own word or by the framework's."""
    lines = (killer.data_dir / "log" / "web.log").read_text(errors="replace").splitlines()
    return [line for line in lines if '"event": "api_error"' in line or '"event": "Internal Server Error' in line]


if __name__ == "__main__":
    sys.exit(main())
