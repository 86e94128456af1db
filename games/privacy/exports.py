"""Archives of what is stored about a player: request them, write them, and delete them when they expire."""

import hashlib
import logging
import zipfile
from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, TypedDict

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.accounts.services.mails import Mail, confirmed_email, send_on_commit
from games.core.compact_json import dump_json
from games.core.errors import Problem, require_found
from games.core.languages import message
from games.core.times import format_time
from games.identity.models import Player
from games.identity.services import lock_player
from games.notices.models import NoticeType
from games.notices.services import notify_player
from games.privacy.archive import README, SECTIONS, account_document, match_documents
from games.privacy.models import PersonalExport

LIFETIME: Final = timedelta(days=7)
MIN_INTERVAL: Final = timedelta(days=1)
LEASE: Final = timedelta(minutes=30)
MAX_ATTEMPTS: Final = 3
RETRY_DELAY: Final = timedelta(minutes=5)
FOLDER: Final = "personal"

log = logging.getLogger(__name__)


class PersonalExportDocument(TypedDict):
    """An archive, as its player receives it."""

    id: str
    status: str
    requested_at: str | None
    ready_at: str | None
    expires_at: str | None
    bytes: int | None
    sha256: str | None


def render_personal_export(export: PersonalExport) -> PersonalExportDocument:
    """Return the document of an archive."""
    is_ready = export.status == "ready"
    return {
        "id": export.public_id,
        "status": export.status,
        "requested_at": format_time(export.requested_at),
        "ready_at": format_time(export.ready_at),
        "expires_at": format_time(export.expires_at),
        "bytes": export.size if is_ready else None,
        "sha256": export.sha256 if is_ready else None,
    }


def archive_path(export: PersonalExport) -> Path:
    """Return the path of an archive."""
    return Path(settings.HAGGIS_EXPORTS_DIR) / FOLDER / export.file


@transaction.atomic
def request_export(*, player: Player) -> PersonalExport:
    """Request an archive; return the unfinished one if there is one. One may be requested in a day."""
    lock_player(player)
    latest = _latest(player)
    now = timezone.now()
    if latest is not None and latest.wake_at is not None:
        return latest
    if latest is not None and latest.status == "ready" and latest.requested_at > now - MIN_INTERVAL:
        left = latest.requested_at + MIN_INTERVAL - now
        detail = message("You may request one archive a day.")
        raise Problem("rate_limited", detail, retry_after=int(left.total_seconds()) + 1)
    delete_exports(player_ids=[player.pk])
    return PersonalExport.objects.create(player=player, requested_at=now, wake_at=now)


def _latest(player: Player) -> PersonalExport | None:
    return PersonalExport.objects.filter(player=player).order_by("-pk").first()


def find_export(*, player: Player) -> PersonalExport:
    """Return the archive that the player requested last; raise 404 if there is none or it has expired."""
    export = require_found(_latest(player))
    if export.expires_at is not None and export.expires_at <= timezone.now():
        raise Problem("not_found")
    return export


def find_ready_export(*, player: Player) -> PersonalExport:
    """Return the archive to download; raise 404 unless it is ready."""
    export = find_export(player=player)
    if export.status != "ready":
        raise Problem("not_found", message("The archive is not ready."))
    return export


def write_next_personal_export() -> bool:
    """Write the archive that has waited longest; return whether there was one.

    If the worker dies, the archive becomes due again when its lease expires.
    """
    now = timezone.now()
    due = PersonalExport.objects.select_related("player").filter(wake_at__lte=now).order_by("wake_at").first()
    if due is None:
        return False
    lease = now + LEASE
    claimed = PersonalExport.objects.filter(pk=due.pk, wake_at__lte=now, attempts=due.attempts)
    if not claimed.update(wake_at=lease, attempts=due.attempts + 1):
        return True  # another worker was first
    try:
        _write(due)
        _finish(due, lease)
    except Exception as error:  # noqa: BLE001 -- any fault of one archive; the log has its type
        log.error("writing %s failed with %s", due.public_id, type(error).__name__)  # noqa: TRY400 -- without stored words
        gives_up = due.attempts + 1 >= MAX_ATTEMPTS
        leased = PersonalExport.objects.filter(pk=due.pk, wake_at=lease)
        leased.update(wake_at=None if gives_up else now + RETRY_DELAY)
    return True


def _write(export: PersonalExport) -> None:
    """Write the archive under its name, which nobody knows yet."""
    path, player = archive_path(export), export.player
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("README.txt", README)
        _add(archive, "account.json", account_document(player))
        for section in SECTIONS:
            if rows := list(section.rows(player)):
                _add(archive, f"{section.name}.json", rows)
        for match_id, document in match_documents(player):
            _add(archive, f"matches/{match_id}.json", document)


def _add(archive: zipfile.ZipFile, name: str, document: Any) -> None:  # noqa: ANN401 -- JSON
    archive.writestr(name, dump_json(document))


@transaction.atomic
def _finish(export: PersonalExport, lease: datetime) -> None:
    """Let the player download the archive, and notify them; delete it if the account was closed meanwhile."""
    path, now = archive_path(export), timezone.now()
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    data = {"export": export.public_id, "expires_at": str(format_time(now + LIFETIME))}
    notified = notify_player(
        player_id=export.player_id,
        type=NoticeType.EXPORT_READY,
        data={"export": data["export"], "expires_at": data["expires_at"]},
    )
    finished = PersonalExport.objects.filter(pk=export.pk, wake_at=lease).update(
        wake_at=None, ready_at=now, expires_at=now + LIFETIME, size=path.stat().st_size, sha256=digest
    )
    if notified is None or not finished:
        path.unlink(missing_ok=True)
    elif confirmed_email(export.player):
        send_on_commit(kind=Mail.EXPORT_READY, about=export.player_id)


def delete_exports(*, player_ids: Iterable[int]) -> None:
    """Delete the archives of players."""
    _delete(PersonalExport.objects.filter(player__in=list(player_ids)))


def delete_old_exports(*, now: datetime) -> None:
    """Delete archives that have expired or failed, and files without a row, as a dead worker may leave."""
    failed = Q(wake_at=None, ready_at=None, requested_at__lte=now - LIFETIME)
    _delete(PersonalExport.objects.filter(Q(expires_at__lte=now) | failed))
    folder = Path(settings.HAGGIS_EXPORTS_DIR) / FOLDER
    known = set(PersonalExport.objects.values_list("file", flat=True))
    for path in folder.glob("*.zip"):
        if path.name not in known and path.stat().st_mtime < (now - LEASE).timestamp():
            path.unlink(missing_ok=True)


def _delete(exports: "QuerySet[PersonalExport]") -> None:
    for export in exports:
        archive_path(export).unlink(missing_ok=True)
    exports.delete()
