"""Three ways in, at the screens: paste a text, drop files or a folder, or read an example. What was sent is a wave, whose page
fills while it is read."""

import shutil
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.datastructures import MultiValueDict
from django.views.decorators.http import require_http_methods

from config.demo.lay_out import FILES, incoming_of
from extraction.importers import Into, Skipped, read_paths
from extraction.intake.batches import IngestReport, batches, conversation_of, take_batch
from ledger.actions.ingest import Incoming
from ledger.actions.scope import create_scope
from ledger.errors import DomainError, Invalid, TooLarge
from ledger.models import Scope, Tier, Wave
from ledger.packs import CORE
from ledger.reads.packs import newest_packs
from ledger.reads.scopes import scope_at, visible
from ledger.reads.waves import wave_at
from ledger.rules.permissions import Right
from review.access import actor_of_request
from review.screens.frame import ScreenRequest, page, screen
from review.screens.verbs import number

# What a browser sends in one go; send.js cuts a large folder into several, of one wave.
MAX_BYTES: Final = 512 * 1024 * 1024
PART_BYTES: Final = 48 * 1024 * 1024
PART_FILES: Final = 1500
MAX_SCOPES: Final = 500
MAX_NAMED: Final = 50
MAX_DEPTH: Final = 20
MAX_NAME_BYTES: Final = 120
MAX_PATH: Final = 300
EXAMPLE: Final = "engineering"


@require_http_methods(["GET", "POST"])
@screen
def send(request: ScreenRequest) -> HttpResponse:
    """The page, and what is sent from it: its wave as a page, or for the script that sends one part after the other as JSON."""
    if request.method == "GET":
        return show_send(request)
    try:
        refuse_nothing(request)
        scope = place(request)
        # Whoever makes a scope owns it from then on.
        request.actor = actor_of_request(request)
        report = IngestReport(wave_of(request, scope))
        WAYS.get(request.POST.get("action", ""), _no_way)(request, scope, report)
    except DomainError as error:
        if wants_json(request):
            return JsonResponse({"error": error.message}, status=error.status)
        return show_send(request, error=error)
    tell(request, report)
    if wants_json(request):
        return JsonResponse(told(report))
    return redirect("wave", report.wave.pk) if report.wave.pk else show_send(request)


def wants_json(request: ScreenRequest) -> bool:
    return "application/json" in request.headers.get("Accept", "")


def show_send(request: ScreenRequest, *, error: DomainError | None = None) -> HttpResponse:
    access = request.actor.access
    scopes = visible(access, right=Right.INGEST).exclude(path="global").order_by("path")
    context = {
        "scopes": list(scopes.values_list("path", flat=True)[:MAX_SCOPES]),
        "chosen": request.POST.get("scope") or request.GET.get("scope", ""),
        "packs": [one for one in newest_packs() if one.name != CORE],
        "may_make": access.may_make_top_level(),
        "part_bytes": PART_BYTES,
        "part_files": PART_FILES,
        "here": "send",
    }
    return page(request, "review/send.html", context, error=error)


def refuse_nothing(request: ScreenRequest) -> None:
    """Before anything is made for it."""
    action, size = request.POST.get("action"), sum(one.size or 0 for one in request.FILES.getlist("files"))
    if action == "paste" and not request.POST.get("text", "").strip():
        raise Invalid("paste some text first: minutes, notes, a decision record, a chat", field="text")
    if action == "drop" and not request.FILES:
        raise Invalid("choose files or a folder first", field="files")
    if size > MAX_BYTES:
        raise TooLarge(f"at most {MAX_BYTES // 1024**2} MB at a time; for more: manage.py ingest", field="files")


def place(request: ScreenRequest) -> Scope:
    """The scope that is named, or the one that is made for what comes in."""
    posted, actor = request.POST, request.actor
    if new := posted.get("new_scope", "").strip():
        return create_scope(new, tier=Tier.PROJECT, packs=posted.getlist("packs"), actor=actor)
    if posted.get("action") == "example":
        plan = example()["scope"]
        known = Scope.objects.filter(path=plan["path"]).first()
        if known is None:
            return create_scope(
                plan["path"],
                tier=plan["tier"],
                name=plan["name"],
                packs=plan["packs"],
                timezone=plan["timezone"],
                actor=actor,
            )
        return scope_at(plan["path"], actor.access, Right.INGEST)
    if not posted.get("scope"):
        raise Invalid("choose where it belongs, or name a new place such as kitchen", field="scope")
    return scope_at(posted["scope"], actor.access, Right.INGEST)


def wave_of(request: ScreenRequest, scope: Scope) -> Wave:
    """One that a part before has begun, else a new one, which is a row once it holds a source."""
    if request.POST.get("wave"):
        row = wave_at(number(request.POST, "wave"), request.actor)
        if row.scope_id != scope.pk or row.by != request.actor.name:
            raise Invalid("this wave belongs to something else", field="wave")
        return row
    label = request.POST.get("label", "").strip() or request.POST.get("title", "").strip() or "sent from the screen"
    return Wave(scope=scope, label=label[:200], by=request.actor.name)


def pasted(request: ScreenRequest, scope: Scope, report: IngestReport) -> None:
    text = request.POST.get("text", "").replace("\r\n", "\n")
    title = request.POST.get("title", "").strip()[:500]
    take(request, scope, report, [Incoming(text=text, kind="document", title=title)])


def dropped(request: ScreenRequest, scope: Scope, report: IngestReport) -> None:
    """Files as the browser names them, folders included, read as `manage.py ingest` reads the same folder."""
    folder = Path(tempfile.mkdtemp(prefix="countersign-"))
    try:
        tops = laid_down(request.FILES, request.POST.getlist("paths"), folder, report)
        into = Into(scope.path, ZoneInfo(scope.timezone), lambda ids: conversation_of(scope, ids))
        for batch in batches(read_paths(tops, "auto", into), report):
            take(request, scope, report, batch)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def laid_down(
    files: "MultiValueDict[str, UploadedFile[Any]]", paths: list[str], folder: Path, report: IngestReport
) -> list[Path]:
    """Writes each below `folder`, under the parts of its path that are plain names; returns what lies at the top. What would lie
    where another file does is passed over by name."""
    uploaded = files.getlist("files")
    named = paths if len(paths) == len(uploaded) else [one.name or "file" for one in uploaded]
    tops: dict[Path, None] = {}
    for one, path in zip(uploaded, named, strict=True):
        parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".", "..")] or ["file"]
        target = folder.joinpath(*map(short_name, parts[-MAX_DEPTH:]))
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            kept = target.open("xb")
        except OSError:
            report.skip(Skipped(path[:MAX_PATH], "another file of that name came with it", asked_for=True))
            continue
        with kept:
            for chunk in one.chunks():
                kept.write(chunk)
        tops[folder / target.relative_to(folder).parts[0]] = None
    return list(tops)


def short_name(name: str) -> str:
    """As long as any file system takes it, with the ending that tells the format."""
    plain = Path(name.replace("\0", ""))
    ending = plain.suffix[:20]
    return plain.name.removesuffix(ending).encode("utf-8", "replace")[:MAX_NAME_BYTES].decode(errors="ignore") + ending


def demonstrated(request: ScreenRequest, scope: Scope, report: IngestReport) -> None:
    """The texts of one demo scope, as if their authors had sent them; all that is found waits for a decision."""
    take(request, scope, report, [incoming_of(entry) for entry in example()["sources"]])


def example() -> dict[str, Any]:
    (file,) = [file for file in FILES if file.stem == EXAMPLE]
    return tomllib.loads(file.read_text(encoding="utf-8"))


def take(request: ScreenRequest, scope: Scope, report: IngestReport, texts: list[Incoming]) -> None:
    take_batch(texts, report, scope=scope, actor=request.actor, extract=True)


def _no_way(request: ScreenRequest, scope: Scope, report: IngestReport) -> None:
    raise Invalid("no such action", field="action")


WAYS: Final = {"paste": pasted, "drop": dropped, "example": demonstrated}


def told(report: IngestReport) -> dict[str, Any]:
    wave = report.wave.pk
    return {
        "wave": wave,
        "scope": report.wave.scope.path,
        "sources": report.sources,
        "duplicates": report.duplicates,
        "skipped": [{"path": one.path, "why": one.why} for one in report.skipped_lines()[:MAX_NAMED]],
        "page": reverse("wave", args=[wave]) if wave else reverse("sources"),
    }


def tell(request: ScreenRequest, report: IngestReport) -> None:
    said = [f"{report.sources} text{'' if report.sources == 1 else 's'} taken in"]
    if report.duplicates:
        said.append(f"{report.duplicates} known before")
    messages.success(request, ", ".join(said))
    for line in passed_over(report):
        messages.warning(request, line)


def passed_over(report: IngestReport) -> Iterable[str]:
    return [f"{one.path} was passed over: {one.why}" for one in report.skipped_lines()[:MAX_NAMED]]
