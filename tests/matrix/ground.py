"""The ground under the matrix: four scopes, everybody who knocks, and on demand one more of everything that can be asked
about. All of it says "heronry", so that an answer tells whether it shows what it should not."""

import itertools
import uuid
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from ledger.actions.bundle import incoming_turn
from ledger.actions.catalog_links import suggest_links
from ledger.actions.catalogue import add_catalog_item
from ledger.actions.chat_link import link_chat
from ledger.actions.curate import curate
from ledger.actions.decide import archive, reject
from ledger.actions.dispute import dispute
from ledger.actions.feed import open_feed
from ledger.actions.ingest import Incoming, ingest
from ledger.actions.load_pack import load_pack
from ledger.actions.override import override
from ledger.actions.promote import promote
from ledger.actions.wave import take_along
from ledger.actions.webhook import add_webhook
from ledger.actor import demo, operator, policy_actor
from ledger.models import (
    CalendarFeed,
    Claim,
    Conflict,
    JournalEvent,
    Member,
    Notice,
    Run,
    RunHit,
    Scope,
    Source,
    Wave,
    Webhook,
)
from ledger.rules.bundles.turn import Turn
from review.models import AgentToken, AgreementSample
from review.tokens import create_token, revoke_token
from tests.matrix.callers import SESSIONS, TOKENS, Caller
from tests.people import make_scope, say, tell

MARK = "heronry"
PATHS = {"above": "studio", "here": "studio/backdrop", "below": "studio/backdrop/panel", "beside": "kitchen"}
OPERATOR = operator("Olga")
BLOCKS = b"""
[pack]
name = "matrix"
version = "1"

[[blocks]]
key = "project.own"
scope = "project"
prefixes = ["own"]
"""
CSRF = "a" * 32

type Thing = dict[str, Any]


@dataclass
class Knock:
    """One caller's own client: a session's cookies, or a token for the header."""

    caller: Caller
    client: Client
    token: str = ""
    user: User | None = None

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    @property
    def journal_name(self) -> str:
        return self.user.get_username() if self.user else self.caller.name


@dataclass
class Ground:
    scopes: dict[str, Scope] = field(default_factory=dict)
    knocks: dict[str, Knock] = field(default_factory=dict)
    counter: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))
    known: dict[str, Thing] = field(default_factory=dict)

    @property
    def scope(self) -> Scope:
        return self.scopes["here"]

    def shared(self, on: str) -> Thing:
        """One for all who are refused: nothing becomes of it."""
        if on not in self.known:
            self.known[on] = getattr(self, on)()
        return self.known[on]

    def place(self) -> Thing:
        n = next(self.counter)
        here = PATHS["here"]
        return {
            "scope": here, "path": here, "words": f"{MARK} {n}", "leaf": f"leaf{n}", "new": f"{here}/leaf{n}", "key": f"key.{n}",
        }  # fmt: skip

    def source(self) -> Thing:
        thing = self.place()
        told = tell(self.scope, OPERATOR, f"Decision: the {MARK} {next(self.counter)} stays where it is")
        return thing | _of_source(told)

    def turn(self) -> Thing:
        thing = self.place()
        text = incoming_turn(
            Turn(id=thing["words"], stage="", free_chat=thing["words"]), scope=self.scope, actor=OPERATOR
        )
        return thing | _of_source(ingest([text], scope=self.scope, actor=OPERATOR)[0].source)

    def thread(self) -> Thing:
        name = f"talk-{next(self.counter)}"
        told = tell(self.scope, OPERATOR, f"Decision: the {MARK} is roofed, says {name}", conversation=name)
        return self.place() | _of_source(told) | {"conversation": name}

    def numbered_thread(self) -> Thing:
        thing = self.thread()
        return thing | {"conversation": Source.objects.get(pk=thing["source"]).conversation_id}

    def _claim(self, **more: Any) -> Claim:
        more.setdefault("key", f"own.{next(self.counter)}")
        answer = say(self.scope, OPERATOR, f"The {MARK} has {next(self.counter)} nests", **more)
        assert answer.claim is not None and answer.fate == "written", answer
        return answer.claim

    def waiting(self) -> Thing:
        return self.place() | _of_claim(self._claim())

    def pair(self) -> Thing:
        return self.waiting() | {"other": self._claim().ref}

    def sample(self) -> Thing:
        """One candidate that two people judge."""
        first, second = (User.objects.create(username=f"judge{next(self.counter)}") for _ in range(2))
        row = AgreementSample.objects.create(
            scope=self.scope, first=first, second=second, claims=[self._claim().pk], made_by="matrix"
        )
        return self.place() | {"pk": row.pk}

    def passed_on(self) -> Thing:
        """One that waits, and a colleague who may decide about it."""
        user = User.objects.create(username=f"colleague{next(self.counter)}")
        Member.objects.create(scope=self.scope, user=user, role="reviewer")
        return self.waiting() | {"colleague": user.username}

    def alike(self) -> Thing:
        """Two that wait and say nearly the same."""
        n = next(self.counter)
        pair = [
            say(self.scope, OPERATOR, f"The {MARK} {n} keeps {word}roof tiles of reed").claim
            for word in ("sturdy ", "")
        ]
        assert pair[0] and pair[1] and pair[0] != pair[1]
        return self.place() | _of_claim(pair[1]) | {"into": pair[0].ref}

    def policy(self) -> Thing:
        return self.place() | {"name": "first_person"}

    def proposing(self) -> Thing:
        """A policy that only proposes, and what it proposes."""
        self._policies({"confidence": {"act": "propose"}})
        return self.place() | _of_claim(self._claim(rule="heading.typed", confidence=0.9)) | {"name": "confidence"}

    def by_policy(self) -> Thing:
        self._policies({"confidence": {}})
        claim = self._claim(rule="heading.typed", confidence=0.9)
        promote(claim, actor=policy_actor("policy:confidence@1"))
        return self.place() | _of_claim(claim) | {"name": "confidence"}

    def _policies(self, policies: dict[str, Any]) -> None:
        Scope.objects.filter(path=PATHS["here"]).update(policies=policies)

    def rejected(self) -> Thing:
        claim = self._claim()
        reject(claim, actor=OPERATOR)
        return self.place() | _of_claim(claim)

    def held(self, **more: Any) -> Thing:
        claim = self._claim(**more)
        promote(claim, actor=OPERATOR)
        return self.place() | _of_claim(claim)

    def held_pair(self) -> Thing:
        return self.held() | {"other": self.held()["ref"]}

    def archived(self) -> Thing:
        thing = self.held()
        archive(Claim.objects.get(pk=thing["id"]), actor=OPERATOR)
        return thing

    def memory(self) -> Thing:
        return self.held(kind="preference")

    def disputed(self) -> Thing:
        thing = self.held()
        told = tell(self.scope, OPERATOR, f"No, the {MARK} is empty ({next(self.counter)})")
        dispute(Claim.objects.get(pk=thing["id"]), source=told, quote=told.text, actor=OPERATOR)
        return thing

    def conflict(self) -> Thing:
        key = f"shared.{next(self.counter)}"
        thing, other = self.held(key=key), self.held(key=key)
        conflict = Conflict.objects.latest("pk")
        return thing | {"id": conflict.pk, "pk": conflict.pk, "winner": other["ref"]}

    def proposed(self) -> Thing:
        return _event(self.waiting(), "propose")

    def promoted(self) -> Thing:
        return _event(self.held(), "promote")

    def dispute(self) -> Thing:
        return _event(self.disputed(), "dispute")

    def batch(self) -> Thing:
        claim, batch = self._claim(), uuid.uuid4()
        promote(claim, actor=OPERATOR, batch=batch)
        return self.place() | _of_claim(claim) | {"batch": str(batch)}

    def block(self) -> Thing:
        load_pack(BLOCKS, file="matrix.toml")
        Scope.objects.filter(path=PATHS["here"]).update(packs=["matrix"])
        return self.held() | {"key": "project.own"}

    def item(self) -> Thing:
        """An item with a field that somebody typed over."""
        Scope.objects.filter(path=PATHS["here"]).update(tier="item")
        self.scope.refresh_from_db()
        thing = self.place()
        override(self.scope, thing["key"], f"The {MARK} is oak", actor=OPERATOR)
        return thing | {"id": self.scope.pk, "pk": self.scope.pk}

    def trusted(self) -> Thing:
        thing = self.place()
        event = curate(self.scope, thing["key"], actor=demo("Carol"), statement=f"The {MARK} is locked at ten")
        return thing | {"trusted": event.ref, "ref": event.ref}

    def failed_run(self) -> Thing:
        told = tell(self.scope, OPERATOR, f"the {MARK} in the rain ({next(self.counter)})", title=f"On the {MARK}")
        run = Run.objects.create(
            scope=self.scope, source=told, input_hash=told.sha256, extractor="rules", extractor_version="1",
            status="failed", error=f"the {MARK} burnt",
        )  # fmt: skip
        return self.place() | {"run_id": run.pk, "pk": run.pk}

    def held_back(self) -> Thing:
        thing = self.failed_run()
        source = Source.objects.get(runs=thing["run_id"])
        hit = {"kind": "fact", "statement": source.text, "start": 0, "end": len(source.text)}
        RunHit.objects.create(run_id=thing["run_id"], number=1, fate="held_back", why="too many", hit=hit)
        return thing

    def wave(self) -> Thing:
        """One with a source that a run failed to read, and with a hit that another held back."""
        thing = self.held_back()
        wave = Wave(scope=self.scope, label=f"all of the {MARK} {next(self.counter)}")
        text = f"Decision: the {MARK} is counted {next(self.counter)} times"
        came = ingest([Incoming(text=text)], scope=self.scope, actor=OPERATOR, wave=wave)[0].source
        take_along(wave, [Source.objects.select_related("scope").get(runs=thing["run_id"])], actor=OPERATOR)
        return thing | _of_source(came) | {
            "wave_id": wave.pk, "pk": wave.pk, "file": "report.json", "hit": f"{thing['run_id']}-1",
        }  # fmt: skip

    def article(self) -> Thing:
        """An item of the catalogue, what it is also called, and a name that it is meant by."""
        number = next(self.counter)
        name = f"{MARK} bolt M{number} x 40 mm"
        item = add_catalog_item(self.scope, name, actor=OPERATOR, synonyms=[f"{MARK} screw {number}"])
        return self.place() | {
            "id": item.pk, "pk": item.pk, "name": f"{MARK} bolt M{number}x40", "synonym": item.synonyms.get().pk,
        }  # fmt: skip

    def suggested_link(self) -> Thing:
        thing = self.article()
        (found,) = suggest_links(self.scope, [thing["name"]], actor=OPERATOR)
        return thing | {"id": found.links[0].pk, "pk": found.links[0].pk}

    def webhook(self) -> Thing:
        Webhook.objects.filter(scope=self.scope).update(status="removed")
        row = add_webhook(self.scope, "https://example.org/hook", actor=OPERATOR)
        return self.place() | {"id": row.pk, "pk": row.pk}

    def feed(self) -> Thing:
        CalendarFeed.objects.filter(scope=self.scope).update(status="ended")
        row, _ = open_feed(self.scope, actor=OPERATOR)
        return self.place() | {"id": row.pk, "pk": row.pk, "token": "cs_feed_made_up"}

    def chat(self) -> Thing:
        number = str(-next(self.counter))
        row = link_chat(
            self.scope, actor=OPERATOR, door="telegram", bot="1", chat=number, conversation=f"telegram:{number}"
        )  # fmt: skip
        return self.place() | {"id": row.pk, "pk": row.pk}

    def bot(self) -> Thing:
        """It is configured, and this chat is not linked yet."""
        return self.place() | {"chat": str(-next(self.counter)), "secret": "made-up"}

    def notice(self) -> Thing:
        row = Notice.objects.create(scope=self.scope, rule="clarification", text=f"{MARK} at four?")
        return self.place() | {"id": row.pk, "pk": row.pk}

    def pending_action(self) -> Thing:
        n = next(self.counter)
        value = {"title": f"{MARK} visit {n}", "people": [], "start": "2099-05-05T16:30:00", "timezone": "UTC"}
        answer = say(self.scope, OPERATOR, f"The {MARK} is open on day {n}", kind="event", value=value)
        assert answer.claim is not None
        return self.place() | _of_claim(answer.claim)

    def guest(self) -> Thing:
        user = User.objects.create(username=f"guest{next(self.counter)}")
        return self.place() | {"username": user.username}

    def member(self) -> Thing:
        thing = self.guest()
        Member.objects.create(scope=self.scope, user=User.objects.get(username=thing["username"]), role="viewer")
        return thing

    def agents_token(self) -> Thing:
        return self._token(kind="agent", grants=["read"])

    def users_token(self) -> Thing:
        holder = User.objects.create(username=f"holder{next(self.counter)}")
        return self._token(kind="user", grants=["read"], user=holder)

    def _token(self, **more: Any) -> Thing:
        token, _ = create_token(name=f"ear {next(self.counter)}", scopes=[PATHS["here"]], actor=OPERATOR, **more)
        return self.place() | {"pk": token.pk}


def _of_source(source: Source) -> Thing:
    return {
        "source": source.pk,
        "source_id": source.pk,
        "pk": source.pk,
        "quote": source.text[-20:],
        "conversation": "",
    }


def _of_claim(claim: Claim) -> Thing:
    source = claim.evidence.get().source
    return _of_source(source) | {"id": claim.pk, "ref": claim.ref, "claim": claim.pk}


def _event(thing: Thing, verb: str) -> Thing:
    event = JournalEvent.objects.filter(ref=thing["ref"], verb=verb).latest("pk")
    return thing | {"id": event.pk, "pk": event.pk}


def build() -> Ground:
    ground = Ground()
    parent = None
    for place in ("above", "here", "below", "beside"):
        path = PATHS[place]
        ground.scopes[place] = make_scope(path, parent=parent if place != "beside" else None)
        parent = ground.scopes[place]
    Scope.objects.filter(path=PATHS["here"]).update(name=f"The {MARK}")
    for caller in (*SESSIONS, *TOKENS):
        ground.knocks[caller.name] = _knock(caller, ground)
    return ground


def _knock(caller: Caller, ground: Ground) -> Knock:
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = CSRF
    user = None
    if caller.door in ("session", "user"):
        user = User.objects.create(username=caller.name)
        if caller.role:
            Member.objects.create(scope=ground.scopes[caller.at], user=user, role=caller.role)
    if caller.door == "session":
        client.force_login(user)
        client.cookies["csrftoken"] = CSRF
    if caller.door == "made up":
        return Knock(caller, client, "cs_" + "x" * 43)
    if caller.door not in ("agent", "user"):
        return Knock(caller, client, user=user)
    reach = "global" if caller.door == "user" and caller.reach == "above" else PATHS[caller.reach]
    token, secret = create_token(
        name=caller.name, kind=caller.door, scopes=[reach], grants=caller.grants or ["read"], user=user, actor=OPERATOR
    )
    if not caller.grants:
        # The door makes no token without a grant; a row without one opens nothing all the same.
        AgentToken.objects.filter(pk=token.pk).update(grants=[])
    if caller.revoked:
        revoke_token(token, actor=OPERATOR)
    return Knock(caller, client, secret, user)


__all__ = ["CSRF", "MARK", "Ground", "Knock", "Thing", "build"]
