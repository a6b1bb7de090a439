"""Who knocks: the contract's table of roles and grants, and the callers that it tells apart."""

from dataclasses import dataclass

# The contract's own table. A role's column tells whether the role may; a token's which grant it takes.
MAY = """
| may                                  | viewer | reviewer | curator | owner | agent   | user       |
| read                                 | ●      | ●        | ●       | ●     | read    | read       |
| send                                 |        | ●        | ●       | ●     | ingest  | ingest     |
| propose                              |        | ●        | ●       | ●     | propose | propose    |
| observe                              |        | ●        | ●       | ●     | observe | observe    |
| decide                               |        | ●        | ●       | ●     |         | review     |
| curate                               |        |          | ●       | ●     |         |            |
| administer                           |        |          |         | ●     |         | administer |
"""


def read_table(text: str) -> dict[str, dict[str, str]]:
    """`{"propose": {"viewer": "", "reviewer": "●", …, "agent": "propose", "user": "propose"}, …}`"""
    lines = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in text.strip().splitlines()]
    return {cells[0]: dict(zip(lines[0][1:], cells[1:], strict=True)) for cells in lines[1:]}


RIGHTS = read_table(MAY)
# What is no line of that table: `anybody`, without signing in; `known`, whoever is signed in or has a token, who is then
# shown only what they may read; `read below`, to whom a scope's live rows are readable from a scope under it; `read
# somewhere`, who may read anything at all. A right of two, `send+read`, asks for both.

AGENT_GRANTS = ("read", "ingest", "propose", "observe")
USER_GRANTS = (*AGENT_GRANTS, "review", "administer")
ROLES = ("viewer", "reviewer", "curator", "owner")


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who knocks. `role` is held at `at`, seen from the scope that the requests name: here, above, below or
    beside it. `door` session, agent, user (a user's token, which covers `reach`) or none; `revoked` tokens open nothing."""

    name: str
    door: str = "session"
    role: str = ""
    at: str = "here"
    grants: tuple[str, ...] = ()
    reach: str = "above"
    revoked: bool = False


def but(grants: tuple[str, ...], one: str) -> tuple[str, ...]:
    return tuple(grant for grant in grants if grant != one)


SESSIONS = [
    Caller("anonymous", "none"),
    Caller("stranger without any role"),
    Caller("outsider", role="owner", at="beside"),
    *(Caller(f"{role} {at}", role=role, at=at) for at in ("here", "above", "below") for role in ROLES),
]
TOKENS = [
    Caller("made-up token", "made up"),
    *(Caller(f"agent may {grant}", "agent", grants=(grant,), reach="here") for grant in AGENT_GRANTS),
    *(
        Caller(f"agent may all but {grant}", "agent", grants=but(AGENT_GRANTS, grant), reach="here")
        for grant in AGENT_GRANTS
    ),
    Caller("agent may nothing", "agent", reach="here"),
    *(Caller(f"agent {reach}", "agent", grants=AGENT_GRANTS, reach=reach) for reach in ("above", "below", "beside")),
    Caller("agent revoked", "agent", grants=AGENT_GRANTS, reach="here", revoked=True),
    *(
        Caller(f"token of {role} may {grant}", "user", role=role, grants=(grant,))
        for role in ("owner", "viewer")
        for grant in USER_GRANTS
    ),
    *(
        Caller(f"token of owner may all but {grant}", "user", role="owner", grants=but(USER_GRANTS, grant))
        for grant in USER_GRANTS
    ),
    *(Caller(f"token of {role} may all", "user", role=role, grants=USER_GRANTS) for role in ROLES),
    *(
        Caller(f"token of owner {reach}", "user", role="owner", grants=USER_GRANTS, reach=reach)
        for reach in ("here", "below", "beside")
    ),
    Caller("token of outsider", "user", role="owner", at="beside", grants=USER_GRANTS),
    Caller("token of owner may nothing", "user", role="owner"),
    Caller("token of owner revoked", "user", role="owner", grants=USER_GRANTS, revoked=True),
]

# Put to the first rows of each right only: no single address tells them from others that are put to every row.
ONCE = {
    "agent may nothing", "agent revoked", "token of owner may nothing", "token of owner revoked",
    *(f"token of viewer may {grant}" for grant in USER_GRANTS),
    "reviewer above", "curator above", "viewer below", "reviewer below", "curator below",
}  # fmt: skip
