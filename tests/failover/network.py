"""Machines of a kind: a network namespace and an address for each part, on one bridge: one can fall off the net without a word."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

BRIDGE, SUBNET = "csdrill", "10.77.0"
NAMESPACES = "/run/netns"


def ip(*words: str, check: bool = True) -> None:
    subprocess.run(["ip", *words], check=check, capture_output=not check)


@dataclass
class Network:
    """All on this machine's own network, where there is only that one."""

    apart: bool = False
    addresses: dict[str, str] = field(default_factory=dict)

    def open(self) -> None:
        if self.apart:
            self.close()
            ip("link", "add", BRIDGE, "type", "bridge")
            ip("addr", "add", f"{SUBNET}.1/24", "dev", BRIDGE)
            ip("link", "set", BRIDGE, "up")

    def address(self, name: str) -> str:
        """Of the part with this name; its namespace is made when it is first asked for."""
        if self.apart and name not in self.addresses:
            number = len(self.addresses) + 10
            ip("netns", "add", f"{BRIDGE}-{name}")
            ip("link", "add", f"cs{number}", "type", "veth", "peer", "name", "eth0", "netns", f"{BRIDGE}-{name}")
            ip("link", "set", f"cs{number}", "master", BRIDGE, "up")
            for words in (["addr", "add", f"{SUBNET}.{number}/24", "dev", "eth0"], ["link", "set", "eth0", "up"]):
                ip("-n", f"{BRIDGE}-{name}", *words)
            ip("-n", f"{BRIDGE}-{name}", "link", "set", "lo", "up")
            self.addresses[name] = f"{SUBNET}.{number}"
        return self.addresses.get(name, "127.0.0.1")

    @contextmanager
    def inside(self, name: str) -> Iterator[None]:
        """What is started within stands on that machine."""
        if not self.apart:
            yield
            return
        self.address(name)
        with open("/proc/thread-self/ns/net") as here, open(f"{NAMESPACES}/{BRIDGE}-{name}") as there:
            os.setns(there.fileno(), os.CLONE_NEWNET)
            try:
                yield
            finally:
                os.setns(here.fileno(), os.CLONE_NEWNET)

    def cut(self, name: str) -> None:
        """No answer comes from there any more, not even that nobody listens."""
        ip("link", "set", f"cs{self.address(name).rpartition('.')[2]}", "down")

    def close(self) -> None:
        if self.apart:
            ip("link", "delete", BRIDGE, check=False)
            for name in os.listdir(NAMESPACES) if os.path.isdir(NAMESPACES) else ():
                if name.startswith(f"{BRIDGE}-"):
                    ip("netns", "delete", name, check=False)
