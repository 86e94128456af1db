"""Collect all that is stored about a player.

Secrets are left out: password hash, tokens, keys of a second factor, of webhooks and of devices. Running
matches are shown as the player sees them. Data about others stays with the others: reports about the player
name who wrote them, and audits name operators.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from django.db.models import Model, Q, QuerySet

from games.accounts.models import KnownDevice, RecoveryCode, SecondFactor, SecurityEvent
from games.ai.models import Analysis
from games.api.models import IdempotencyKey
from games.directory.models import Follow
from games.identity.app_models import Authorization, OAuthApp
from games.identity.models import AccountNotice, ApiToken, Block, Player
from games.identity.queries import render_me
from games.matches.models.log import Move
from games.matches.models.match import Match, MatchStatus, Seat
from games.matches.queries import render_rounds, render_table
from games.matches.store import MatchRow, can_see, find_matches
from games.notices.models import PlayerNotice
from games.notifications.models import Device, Notice, NoticeAttempt, Webhook
from games.privacy.models import PersonalExport
from games.puzzles.models import PuzzleAnswer
from games.ratings.models import PlayerRating
from games.records.models import PublishedRecord
from games.records.pseudonyms import pseudonym
from games.records.publication import read_dataset
from games.reports.models import Report
from games.statistics.models import PlayerStatistics

_MATCHES_AT_ONCE: Final = 50

README: Final = """\
All that this service stores about your account, as JSON (UTF-8).

account.json     your account and its settings
*.json           one file for each kind of data; empty ones are left out
matches/*.json   every match in which you have a seat, with its log and rounds, as you may see it

Passwords and keys are left out: they are stored as hashes, or would give access to your account. Mails that
were sent are not stored.
"""


class Section(NamedTuple):
    """A file of the archive: the columns of the rows of a model that refer to the player.

    `owner` is the column that refers to the player, `columns` are the columns that are included.
    """

    name: str
    model: type[Model]
    owner: str
    columns: tuple[str, ...]

    def rows(self, player: Player) -> "QuerySet[Any, dict[str, Any]]":
        """Return the rows of a player as dictionaries."""
        manager = self.model._default_manager  # noqa: SLF001 -- a documented API
        return manager.filter(Q(**{self.owner: player})).order_by("pk").values(*self.columns)


SECTIONS: Final = (
    Section("bots", Player, "owner", ("username", "display_name", "date_joined", "deleted_at")),
    Section(
        "tokens",
        ApiToken,
        "user",
        ("public_id", "name", "scopes", "created", "expiry", "session", "fresh_until", "user_agent"),
    ),
    Section(
        "apps",
        OAuthApp,
        "owner",
        ("client_id", "name", "website", "redirect_uris", "created_at", "stopped_at"),
    ),
    Section(
        "authorizations",
        Authorization,
        "player",
        ("public_id", "app__name", "scopes", "created_at", "last_used_at"),
    ),
    Section("blocks", Block, "blocker", ("blocked__username", "at")),
    Section("follows", Follow, "follower", ("followed__username", "at")),
    Section("known_devices", KnownDevice, "player", ("device", "last_seen")),
    Section("second_factor", SecondFactor, "player", ("confirmed_at",)),
    Section("recovery_codes", RecoveryCode, "player", ("id",)),
    Section("security_events", SecurityEvent, "player", ("kind", "at", "email", "device")),
    Section(
        "messages_of_operators",
        AccountNotice,
        "player",
        ("kind", "text", "at", "until", "acknowledged_at"),
    ),
    Section("matches_made", Match, "maker", ("id", "status", "visibility", "created_at")),
    Section(
        "webhooks",
        Webhook,
        "player",
        ("public_id", "match_id", "url", "format", "description", "types", "active", "created_at"),
    ),
    Section("devices", Device, "player", ("public_id", "service", "name", "created_at")),
    Section("notices", PlayerNotice, "player", ("public_id", "type", "data", "at")),
    Section("pending_notifications", Notice, "player", ("kind", "way", "about", "due_at")),
    Section("notifications", NoticeAttempt, "player", ("kind", "channel", "about", "result", "at")),
    Section("analyses", Analysis, "player", ("match_id", "begun_at")),
    Section("repeatable_requests", IdempotencyKey, "player", ("method", "path", "status", "created")),
    Section(
        "puzzle_answers", PuzzleAnswer, "player", ("puzzle_id", "best_at_first", "solved", "answered_at")
    ),
    Section(
        "reports",
        Report,
        "reporter",
        ("player__username", "match_id", "reason", "text", "created_at", "outcome", "closed_at"),
    ),
    Section(
        "statistics",
        PlayerStatistics,
        "player",
        (
            *("opponent__username", "public_only", "ruleset", "players", "matches", "won", "abandoned"),
            *("rounds", "out_first", "margin_halves", "bets", "bets_won", "bet_points", "bombs", "streak"),
            *("best_streak", "longest_run", "longest_stair"),
        ),
    ),
    Section(
        "ratings",
        PlayerRating,
        "player",
        (
            "kind",
            "ruleset",
            "players",
            "rating",
            "mu",
            "sigma",
            "skill",
            "rounds",
            "matches",
            "won",
            "rated_at",
        ),
    ),
    Section("exports", PersonalExport, "player", ("public_id", "requested_at", "ready_at", "expires_at")),
)

# Columns that refer to players and are not in the archive, with the reason.
LEFT_OUT: Final = {
    "Seat.player": "the matches contain it",
    "PlayerStatistics.opponent": "the statistics of others",
    "Block.blocked": "whom others block, which only they can see",
    "Follow.followed": "whom others follow, which only they can see",
    "ChallengePolicy.bot": "public: the profile of the bot shows it",
    "Report.player": "what others have written; it would name them",
    "Report.claimed_by": "the work of moderators",
    "BlockedAddress.player": "an address of others, too: a household or a school",
    "OperatorAction.operator": "the audit log of the staff",
    "OperatorAction.player": "the audit log of the staff; its messages to the player are included",
    "AnnulmentProposal.proposed_by": "the audit log of the staff",
    "AnnulmentProposal.decided_by": "the audit log of the staff",
    "LogEntry.user": "the audit log of the staff",
}


def account_document(player: Player) -> dict[str, Any]:
    """Return the account and its settings, with the pseudonym if records of the player are published."""
    published = PublishedRecord.objects.filter(match__seats__player=player).exists()
    return {
        **render_me(player, include_email=True),
        "date_joined": player.date_joined,
        "last_login": player.last_login,
        "vacation_since": player.vacation_since,
        "vacation_until": player.vacation_until,
        "vacation_year": player.vacation_year,
        "vacation_days": player.vacation_days,
        "suspended_until": player.suspended_until,
        "pseudonym_in_open_data": pseudonym(player.pk, read_dataset().pseudonym_key) if published else None,
    }


def match_documents(player: Player) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the id of each match in which the player has a seat, and the match as the player may see it."""
    seats = Seat.objects.filter(player=player).order_by("match")
    last = ""
    while page := list(seats.filter(match__gt=last).values_list("match", flat=True)[:_MATCHES_AT_ONCE]):
        for row in _in_order(find_matches(page), page):
            if can_see(row, player):  # not a private match whose invitation was declined
                yield row.id, _match_document(row, player)
        last = page[-1]


def _in_order(rows: Sequence[MatchRow], match_ids: Sequence[str]) -> list[MatchRow]:
    by_id = {row.id: row for row in rows}
    return [by_id[match_id] for match_id in match_ids if match_id in by_id]


def _match_document(row: MatchRow, player: Player) -> dict[str, Any]:
    entries = Move.objects.filter(match_id=row.id).order_by("version").values_list("entry", flat=True)
    return {
        "table": render_table(row, player),
        "log": list(entries),
        "rounds": [] if row.status == MatchStatus.OPEN else render_rounds(row),
    }
