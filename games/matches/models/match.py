"""Matches and their seats."""

import secrets
import time
from typing import ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

PREFIX: Final = "m_"
_DIGITS: Final = "0123456789abcdefghjkmnpqrstvwxyz"
_TIME_DIGITS: Final = 10  # milliseconds, for some thousand years
_RANDOM_DIGITS: Final = 16  # 80 random bits


def new_match_id() -> str:
    """Return a new id. Ids sort by their time of creation, to the millisecond."""
    milliseconds = time.time_ns() // 1_000_000
    return PREFIX + _digits(milliseconds, _TIME_DIGITS) + _digits(secrets.randbits(80), _RANDOM_DIGITS)


def _digits(number: int, count: int) -> str:
    return "".join(_DIGITS[number >> 5 * place & 31] for place in reversed(range(count)))


class MatchStatus(models.TextChoices):
    """The status of a match."""

    OPEN = "open"
    ACTIVE = "active"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class Visibility(models.TextChoices):
    """Who may see a match: everybody, everybody with the link, or only its players."""

    PUBLIC = "public"
    UNLISTED = "unlisted"
    PRIVATE = "private"


class OnTimeout(models.TextChoices):
    """What happens when a player misses a deadline."""

    MOVE = "move"


class AfterTimeouts(models.TextChoices):
    """What happens to a seat after too many timeouts."""

    CARETAKER = "caretaker"
    FORFEIT = "forfeit"


class TurnPriority(models.IntegerChoices):
    """The order in which workers take due turns, lowest first, before the order within a priority."""

    STANDING_ORDER = 0
    WITH_PEOPLE = 1
    ONLY_AIS = 2


class Match(models.Model):
    """A match. It has no secrets: the deals are in `SeedChain`, `Round` and `Snapshot`.

    `version` is the number of log entries. `to_act` and `expects` are copied from the snapshot, for lists.
    `wake_at` is when a worker may take the turn, for an AI seat or a standing order. `attempts` counts the
    starts of an AI turn: each moves `wake_at` forward as a lease, so that the turn of a crashed worker is
    retried. Failures to apply a timeout are counted there as well. `turn_due_at` is when the turn has to be
    taken: claims do not change it. Workers take turns by `turn_priority`, then by `turn_order`, which gives
    every maker one turn after another (`games/matches/turn_order.py`).

    `deadline` is the end of a player's turn including the time bank; AI seats have none. `remind_at` is when
    the player is reminded. In a paused match both are null and `turn_left_ms` has the rest of the turn;
    `paused_until` is when the match resumes automatically, `paused_seconds` the length of earlier pauses.
    """

    id = models.CharField(primary_key=True, max_length=32, default=new_match_id, editable=False)
    # Indexed by `match_of_maker`.
    maker = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="matches_made", db_index=False
    )

    ruleset = models.CharField(max_length=32)
    ruleset_version = models.CharField(max_length=16)
    engine_version = models.CharField(max_length=16)
    options = models.JSONField()
    players = models.PositiveSmallIntegerField()
    target_score = models.PositiveSmallIntegerField(null=True)
    rounds_limit = models.PositiveSmallIntegerField(null=True)

    turn_seconds = models.PositiveIntegerField(null=True)
    time_bank_seconds = models.PositiveIntegerField(default=0)
    on_timeout = models.CharField(max_length=9, choices=OnTimeout, default=OnTimeout.MOVE)
    timeouts_allowed = models.PositiveSmallIntegerField(default=3)
    after_timeouts = models.CharField(max_length=9, choices=AfterTimeouts, default=AfterTimeouts.CARETAKER)
    vacations = models.BooleanField(default=True)
    pauses = models.BooleanField(default=True, db_default=True)

    visibility = models.CharField(max_length=8, choices=Visibility, default=Visibility.PUBLIC)
    rated = models.BooleanField(default=False)
    hints = models.BooleanField(default=False)
    hold = models.BooleanField(default=False)
    anchor = models.CharField(max_length=64)

    status = models.CharField(max_length=9, choices=MatchStatus, default=MatchStatus.OPEN)
    version = models.PositiveIntegerField(default=0)
    open_seats = models.PositiveSmallIntegerField(default=0)
    round_number = models.PositiveSmallIntegerField(null=True)
    round_first_version = models.PositiveIntegerField(null=True)
    to_act = models.PositiveSmallIntegerField(null=True)
    expects = models.CharField(max_length=12, blank=True, default="")
    deadline = models.DateTimeField(null=True)
    remind_at = models.DateTimeField(null=True)
    paused_at = models.DateTimeField(null=True)
    paused_until = models.DateTimeField(null=True)
    paused_seconds = models.PositiveIntegerField(default=0, db_default=0)
    turn_left_ms = models.PositiveBigIntegerField(null=True)
    wake_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0, db_default=0)
    turn_due_at = models.DateTimeField(null=True)
    turn_priority = models.PositiveSmallIntegerField(
        choices=TurnPriority, default=TurnPriority.WITH_PEOPLE, db_default=TurnPriority.WITH_PEOPLE
    )
    turn_order = models.PositiveBigIntegerField(default=0, db_default=0)
    totals = models.JSONField(default=list)
    result = models.JSONField(null=True)
    next_match = models.OneToOneField(
        "self", null=True, on_delete=models.PROTECT, related_name="previous_match"
    )

    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    # When the match was imported from a record (`ImportedRecord`); null for matches played here.
    imported_at = models.DateTimeField(null=True)

    # Whether the worker of the statistics has seen the end of the match (`games/statistics/services.py`).
    statistics_counted = models.BooleanField(default=False, db_default=False)
    # Whether the worker of the published records has seen the end of the match, public or not
    # (`games/records/publication.py`).
    record_published = models.BooleanField(default=False, db_default=False)

    # What the rater has found for a finished rated match (`games/ratings/rater.py`); null until then.
    rating_result = models.JSONField(null=True)

    class Meta:
        """Constraints for the invariants of a match; partial indexes for the matches in progress."""

        verbose_name_plural = "matches"
        constraints: ClassVar = [
            models.CheckConstraint(name="match_status_is_known", condition=Q(status__in=MatchStatus.values)),
            models.CheckConstraint(
                name="match_visibility_is_known", condition=Q(visibility__in=Visibility.values)
            ),
            models.CheckConstraint(name="match_is_for_two_or_three", condition=Q(players__in=(2, 3))),
            models.CheckConstraint(
                name="match_has_one_length",
                condition=Q(target_score__range=(1, 1000), rounds_limit=None)
                | Q(target_score=None, rounds_limit__range=(1, 100)),
            ),
            models.CheckConstraint(
                name="match_result_when_finished",
                condition=Q(status=MatchStatus.FINISHED, result__isnull=False)
                | (~Q(status=MatchStatus.FINISHED) & Q(result__isnull=True)),
            ),
            models.CheckConstraint(
                name="match_somebody_acts_when_active",
                condition=Q(
                    status__in=(MatchStatus.ACTIVE, MatchStatus.PAUSED),
                    to_act__lt=F("players"),
                    round_number__gte=1,
                )
                | (~Q(status__in=(MatchStatus.ACTIVE, MatchStatus.PAUSED)) & Q(to_act=None)),
            ),
            models.CheckConstraint(
                name="match_seats_are_filled_when_played",
                condition=Q(open_seats=0) | Q(status__in=(MatchStatus.OPEN, MatchStatus.CANCELLED)),
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                name="match_in_the_lobby",
                fields=["-created_at", "-id"],
                condition=Q(status=MatchStatus.OPEN, visibility=Visibility.PUBLIC),
            ),
            models.Index(
                name="match_being_played",
                fields=["-created_at", "-id"],
                condition=Q(status=MatchStatus.ACTIVE, visibility=Visibility.PUBLIC),
            ),
            models.Index(
                name="match_public",
                fields=["-created_at", "-id"],
                condition=Q(visibility=Visibility.PUBLIC),
            ),
            models.Index(
                name="match_turn_order",
                fields=["turn_priority", "turn_order", "turn_due_at"],
                condition=Q(status=MatchStatus.ACTIVE, wake_at__isnull=False),
            ),
            models.Index(
                name="match_turn_order_of_maker",
                fields=["maker", "turn_priority", "turn_order"],
                condition=Q(status=MatchStatus.ACTIVE, wake_at__isnull=False),
            ),
            models.Index(
                name="match_deadline",
                fields=["deadline"],
                condition=Q(status=MatchStatus.ACTIVE, deadline__isnull=False),
            ),
            models.Index(
                name="match_reminder",
                fields=["remind_at"],
                condition=Q(status=MatchStatus.ACTIVE, remind_at__isnull=False),
            ),
            models.Index(
                name="match_pause_ends",
                fields=["paused_until"],
                condition=Q(status=MatchStatus.PAUSED),
            ),
            # Not partial by status, or the planner would use it for the lobby, which is better read in order.
            models.Index(name="match_made_and_not_over", fields=["maker"], condition=Q(finished_at=None)),
            models.Index(
                name="match_by_its_end", fields=["finished_at"], condition=Q(finished_at__isnull=False)
            ),
            models.Index(name="match_of_maker", fields=["maker", "-created_at", "-id"]),
            models.Index(
                name="match_cancelled", fields=["finished_at"], condition=Q(status=MatchStatus.CANCELLED)
            ),
            models.Index(
                name="match_not_counted",
                fields=["finished_at", "id"],
                condition=Q(status=MatchStatus.FINISHED, statistics_counted=False),
            ),
            models.Index(
                name="match_not_published",
                fields=["finished_at", "id"],
                condition=Q(status=MatchStatus.FINISHED, record_published=False),
            ),
            models.Index(
                name="match_not_rated",
                fields=["finished_at", "id"],
                condition=Q(status=MatchStatus.FINISHED, rated=True, rating_result__isnull=True),
            ),
            models.Index(name="match_expires", fields=["expires_at"], condition=Q(status=MatchStatus.OPEN)),
        ]

    def __str__(self) -> str:
        """Return a short name for logs and the admin."""
        return self.id


class SeatState(models.TextChoices):
    """The state of a seat."""

    OPEN = "open"
    INVITED = "invited"
    DECLINED = "declined"
    PLAYING = "playing"
    CARETAKER = "caretaker"
    RESIGNED = "resigned"


# The states of a seat that has to be filled before the match can start.
UNFILLED_STATES: Final = frozenset({SeatState.OPEN, SeatState.INVITED, SeatState.DECLINED})


class PauseRequest(models.TextChoices):
    """What a player has requested, until all players agree."""

    NOTHING = ""
    PAUSE = "pause"
    RESUME = "resume"


class Seat(models.Model):
    """A seat. An AI seat has a `level` and no player; other seats have a player once invited or joined.

    `standing_trick` is the trick in which the player's standing order passes (`round/trick/own plays in it`);
    only that player may see it. `time_bank_left` is in seconds. `timeouts` counts consecutive timeouts.
    `imported_name` is the name of the player in an imported record; it does not refer to an account.
    """

    # Indexed by `seat_number_once_a_match`.
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=9, choices=SeatState, default=SeatState.OPEN)
    # Indexed by `seat_of_player`.
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="seats", db_index=False
    )
    level = models.CharField(max_length=16, blank=True, default="")
    client_seed = models.CharField(max_length=64, blank=True, default="")
    time_bank_left = models.PositiveIntegerField(default=0)
    timeouts = models.PositiveSmallIntegerField(default=0)
    standing_trick = models.CharField(max_length=16, blank=True, default="")
    asks = models.CharField(max_length=6, choices=PauseRequest, blank=True, default="", db_default="")
    live = models.BooleanField(default=True)
    imported_name = models.CharField(max_length=255, blank=True, default="", db_default="")
    joined_at = models.DateTimeField(null=True)

    class Meta:
        """Constraints: seats are unique, and a player has at most one seat in a match."""

        constraints: ClassVar = [
            models.UniqueConstraint(name="seat_number_once_a_match", fields=["match", "number"]),
            models.UniqueConstraint(
                name="seat_player_once_a_match", fields=["match", "player"], condition=Q(player__isnull=False)
            ),
            models.CheckConstraint(name="seat_state_is_known", condition=Q(state__in=SeatState.values)),
            models.CheckConstraint(name="seat_asks_what_is_known", condition=Q(asks__in=PauseRequest.values)),
            models.CheckConstraint(
                name="seat_is_held_by_one",
                condition=Q(state=SeatState.OPEN, player=None, level="")
                | Q(state=SeatState.PLAYING, player=None) & ~Q(level="")
                | Q(state__in=(SeatState.PLAYING, SeatState.RESIGNED), player=None, level="")
                & ~Q(imported_name="")
                | Q(player__isnull=False, level="") & ~Q(state=SeatState.OPEN),
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                name="seat_running_of_player",
                fields=["player", "match"],
                condition=Q(live=True, player__isnull=False),
            ),
            models.Index(
                name="seat_with_standing_order",
                fields=["match"],
                condition=Q(live=True) & ~Q(standing_trick=""),
            ),
            models.Index(
                name="seat_of_player", fields=["player", "-match"], condition=Q(player__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        """Return a short name for logs and the admin."""
        return f"{self.match_id}/{self.number}"
