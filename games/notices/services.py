"""Write notices together with what they are about.

Webhook deliveries, mails and push messages are inserted in the same transaction, so each notice is sent if
and only if its cause was committed. The room of webhooks imports this one, so its tables are written with
literal SQL, as `games.matches.commit` does for events of matches.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import connection, transaction
from django.utils import timezone

from games.core.compact_json import dump_json
from games.identity.models import Player
from games.identity.services import lock_players
from games.matches.models.log import NoticeChannel, NoticeKind
from games.matches.publish import publish_to_player
from games.matches.recipients import next_digest, push_is_offered
from games.notices.models import NoticeData, NoticeType, PlayerNotice, new_notice_id

# How long a notice can be read from streams, and how many are stored for each player.
RETENTION: Final = timedelta(days=30)
MAX_STORED_NOTICES: Final = 2_000
BATCH_SIZE: Final = 5_000

# Notices of these types are not mailed by preference: `games.accounts` always mails them.
_MAILED_BY_ACCOUNTS: Final = frozenset({NoticeKind.SECURITY})

_NEXT_LOG_ID: Final = "SELECT nextval(pg_get_serial_sequence('games_move', 'id'))"
# The counter of AUTOINCREMENT, which SQLite keeps in a table.
_SQLITE_NEXT_LOG_ID: Final = (
    """
    INSERT INTO sqlite_sequence (name, seq)
    SELECT 'games_move', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'games_move')
    """,
    """
    UPDATE sqlite_sequence
    SET seq = 1 + max(seq, coalesce((SELECT max(id) FROM games_playernotice), 0)) WHERE name = 'games_move'
    """,
    "SELECT seq FROM sqlite_sequence WHERE name = 'games_move'",
)
_NOTICE: Final = """
    INSERT INTO games_playernotice (id, public_id, player_id, type, data, at)
    VALUES (%(id)s, %(public_id)s, %(player)s, %(type)s, %(data)s, %(at)s)
"""
_DELIVERIES: Final = """
    INSERT INTO games_delivery
        (public_id, webhook_id, notice_id, type, status, created_at, due_at, tried, attempts)
    SELECT 'msg_' || {random}, webhook.id, %(notice)s, %(type)s, 'pending', %(at)s, %(at)s, 0, '[]'
    FROM games_webhook AS webhook
    WHERE webhook.active AND webhook.match_id IS NULL AND webhook.player_id = %(player)s
        AND webhook.types LIKE '%% ' || CAST(%(type)s AS varchar) || ' %%'
"""
_RANDOM: Final = {
    "postgresql": "replace(gen_random_uuid()::text, '-', '')",
    "sqlite": "lower(hex(randomblob(16)))",
}
_MESSAGE: Final = """
    INSERT INTO games_notice (player_id, kind, way, about, version, due_at, tried)
    VALUES (%(player)s, %(type)s, %(way)s, %(about)s, 0, %(due_at)s, 0)
"""


def notify_player(*, player_id: int, type: NoticeType, data: NoticeData) -> PlayerNotice | None:  # noqa: A002 -- the name of the field
    """Write a notice in the running transaction; return `None` if the account is closed.

    Call it in the transaction of its cause. It locks the player, so lock several players in the order of
    their ids first. Streams are notified after the commit.
    """
    with transaction.atomic():
        player = lock_players([player_id]).get(player_id)
        if player is None:
            return None
        notice = _insert_notice(player_id, type, data)
        _insert_deliveries(notice)
        _insert_messages(notice, player)
        _delete_surplus(player_id)
        publish_to_player(player_id)
    return notice


def _insert_notice(player_id: int, type_: NoticeType, data: NoticeData) -> PlayerNotice:
    """Insert a notice; PostgreSQL sets the transaction, so the statement must not name that column."""
    public_id, now, row_id = new_notice_id(), timezone.now(), _next_log_id()
    parameters: dict[str, Any] = {
        "id": row_id,
        "public_id": public_id,
        "player": player_id,
        "type": type_.value,
        "data": dump_json(data).decode(),
        "at": connection.ops.adapt_datetimefield_value(now),
    }
    with connection.cursor() as cursor:
        cursor.execute(_NOTICE, parameters)
    return PlayerNotice(id=row_id, public_id=public_id, player_id=player_id, type=type_, data=data, at=now)


def _next_log_id() -> int:
    """Return the next id of the log, so that a notice has a place in the order of its entries."""
    with connection.cursor() as cursor:
        for sql in (_NEXT_LOG_ID,) if connection.vendor == "postgresql" else _SQLITE_NEXT_LOG_ID:
            cursor.execute(sql)
        return int(cursor.fetchone()[0])


def _insert_deliveries(notice: PlayerNotice) -> None:
    """Queue a delivery for each webhook of the player that asks for this type by its name."""
    at = connection.ops.adapt_datetimefield_value(notice.at)
    parameters: dict[str, Any] = {
        "notice": notice.pk,
        "type": str(notice.type),
        "at": at,
        "player": notice.player_id,
    }
    sql = _DELIVERIES.format(random=_RANDOM[connection.vendor])
    if connection.vendor == "postgresql":
        sql += " FOR KEY SHARE OF webhook"
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)


def _insert_messages(notice: PlayerNotice, player: Player) -> None:
    """Queue a mail and a push message if the player has chosen them for this type."""
    kind = NoticeKind(notice.type)
    for way, due_at in _channels(player, kind, notice.at):
        parameters: dict[str, Any] = {
            "player": player.pk,
            "type": kind.value,
            "way": way.value,
            "about": notice.public_id,
            "due_at": connection.ops.adapt_datetimefield_value(due_at),
        }
        with connection.cursor() as cursor:
            cursor.execute(_MESSAGE, parameters)


def _channels(player: Player, kind: NoticeKind, now: datetime) -> Iterable[tuple[NoticeChannel, datetime]]:
    preferences: Mapping[str, list[str]] = player.notifications
    for way in NoticeChannel:
        if kind not in preferences.get(way, ()):
            continue
        if way == NoticeChannel.PUSH:
            if push_is_offered():
                yield way, now
        elif player.email_confirmed and player.email and kind not in _MAILED_BY_ACCOUNTS:
            yield way, next_digest(now, player.time_zone) if way == NoticeChannel.DIGEST else now


def _delete_surplus(player_id: int) -> None:
    """Delete the oldest notices of a player above the limit."""
    stored = PlayerNotice.objects.filter(player=player_id)
    latest = stored.order_by("-pk").values_list("pk", flat=True)
    for surplus in latest[MAX_STORED_NOTICES : MAX_STORED_NOTICES + 1]:
        stored.filter(pk__lte=surplus).delete()


def delete_notices(*, player_ids: Iterable[int]) -> None:
    """Delete all notices of players."""
    PlayerNotice.objects.filter(player__in=list(player_ids)).delete()


def delete_old_notices(*, now: datetime, batch_size: int = BATCH_SIZE) -> int:
    """Delete a bounded number of old notices, and return how many were deleted."""
    old = PlayerNotice.objects.filter(at__lt=now - RETENTION).order_by("at")
    ids = list(old.values_list("pk", flat=True)[:batch_size])
    return PlayerNotice.objects.filter(pk__in=ids).delete()[0]
