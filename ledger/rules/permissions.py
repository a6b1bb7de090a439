"""Who may do what, as one table (contract §2). Verbs ask `Access`; nothing else decides."""

from dataclasses import dataclass, field
from enum import StrEnum

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
    grants: frozenset[str] | None = None
    token_scopes: tuple[str, ...] | None = None
    agent: bool = False
    speakers: frozenset[str] = frozenset()
    is_staff: bool = False
    everywhere: frozenset[Right] = frozenset()

    def may(self, right: Right, path: str) -> bool:
        if right in self.everywhere:
            return True
        if self.token_scopes is not None:
            if right is Right.CURATE or not any(covers(scope, path) for scope in self.token_scopes):
                return False
            if self.grants is None or right not in self.grants:
                return False
            if self.agent:
                return right in AGENT_GRANTS
        return any(right in ROLE_RIGHTS[role] for scope, role in self.roles.items() if covers(scope, path))

    def sees(self, path: str) -> bool:
        """Whether the caller may know that something exists there: out of sight is 404, in sight but not allowed 403."""
        if self.everywhere:
            return True
        if self.token_scopes is not None and not any(covers(scope, path) for scope in self.token_scopes):
            return False
        return self.agent or any(covers(scope, path) for scope in self.roles)

    def may_make_top_level(self) -> bool:
        if Right.ADMINISTER in self.everywhere:
            return True
        token_allows = self.token_scopes is None or (
            GLOBAL in self.token_scopes and self.grants is not None and Right.ADMINISTER in self.grants
        )
        return self.is_staff and token_allows and not self.agent

    def roots(self) -> list[str]:
        """The scope paths whose subtrees the caller sees; a subset of them when a token narrows the roles."""
        if self.everywhere:
            return [GLOBAL]
        if self.agent:
            return list(self.token_scopes or ())
        if self.token_scopes is None:
            return list(self.roles)
        narrowed = set()
        for role_scope in self.roles:
            for token_scope in self.token_scopes:
                if covers(role_scope, token_scope):
                    narrowed.add(token_scope)
                elif covers(token_scope, role_scope):
                    narrowed.add(role_scope)
        return sorted(narrowed)

    def may_speak_as(self, speaker: str) -> bool:
        """A user's token may name any speaker, an agent only those it was granted (law 8)."""
        return not self.agent or speaker in self.speakers
