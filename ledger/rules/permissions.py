"""Who may do what, as one table (contract §2). Verbs ask `Access`; nothing else decides."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain, permutations, product

GLOBAL = "global"


class Right(StrEnum):
    READ = "read"
    INGEST = "ingest"
    PROPOSE = "propose"
    OBSERVE = "observe"
    REVIEW = "review"
    CURATE = "curate"
    ADMINISTER = "administer"


_VIEWER = frozenset({Right.READ})
_REVIEWER = _VIEWER | {Right.INGEST, Right.PROPOSE, Right.OBSERVE, Right.REVIEW}
_CURATOR = _REVIEWER | {Right.CURATE}
_OWNER = _CURATOR | {Right.ADMINISTER}
ROLE_RIGHTS: dict[str, frozenset[Right]] = {
    "viewer": _VIEWER,
    "reviewer": _REVIEWER,
    "curator": _CURATOR,
    "owner": _OWNER,
}

AGENT_GRANTS = frozenset({Right.READ, Right.INGEST, Right.PROPOSE, Right.OBSERVE})
USER_GRANTS = AGENT_GRANTS | {Right.REVIEW, Right.ADMINISTER}


def covers(outer: str, path: str) -> bool:
    """Whether scope `path` is `outer` or lies below it; `global` covers everything."""
    return outer in (GLOBAL, path) or path.startswith(outer + "/")


@dataclass(frozen=True, slots=True)
class Access:
    """What one caller may do: roles by scope, and for a bearer token its scopes and grants.

    `roles` maps scope paths to role names. `token_scopes` is None without a token. A token never curates (law 4).
    `is_staff` may make top-level scopes. `everywhere` is for the machine itself and the command line.
    """

    roles: dict[str, str] = field(default_factory=dict)
    grants: frozenset[str] = frozenset()
    token_scopes: tuple[str, ...] | None = None
    agent: bool = False
    speakers: frozenset[str] = frozenset()
    is_staff: bool = False
    everywhere: frozenset[Right] = frozenset()

    def may(self, right: Right, path: str) -> bool:
        if right in self.everywhere:
            return True
        if right not in self._within_token() or not self._token_covers(path):
            return False
        return self.agent or any(right in ROLE_RIGHTS[role] for at, role in self.roles.items() if covers(at, path))

    def _within_token(self) -> frozenset[str]:
        """The rights that a token leaves its bearer, whatever their roles; all of them without a token."""
        if self.agent:
            return self.grants & AGENT_GRANTS
        return frozenset(Right) if self.token_scopes is None else self.grants - {Right.CURATE}

    def _token_covers(self, path: str) -> bool:
        return self.token_scopes is None or any(covers(scope, path) for scope in self.token_scopes)

    def readable(self, paths: Iterable[str]) -> set[str]:
        """Those of the scopes whose words the caller may read."""
        return {path for path in set(paths) if self.may(Right.READ, path)}

    def sees(self, path: str) -> bool:
        """Whether the caller may know that something exists there: out of sight is 404, in sight but not allowed 403."""
        return any(covers(root, path) for root in self.roots())

    def may_make_top_level(self) -> bool:
        anywhere = self.token_scopes is None or GLOBAL in self.token_scopes
        may_administer = Right.ADMINISTER in self._within_token() and anywhere and not self.agent
        return Right.ADMINISTER in self.everywhere or (self.is_staff and may_administer)

    def roots(self) -> list[str]:
        """The scope paths whose subtrees the caller sees; a subset of them when a token narrows the roles."""
        if self.everywhere:
            return [GLOBAL]
        if self.agent:
            return list(self.token_scopes or ())
        if self.token_scopes is None:
            return list(self.roles)
        pairs = chain.from_iterable(map(permutations, product(self.roles, self.token_scopes)))
        return sorted({inner for outer, inner in pairs if covers(outer, inner)})

    def may_speak_as(self, speaker: str) -> bool:
        """A user's token may name any speaker, an agent only those it was granted (law 8)."""
        return not self.agent or speaker in self.speakers
