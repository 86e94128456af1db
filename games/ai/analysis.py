"""Analyse finished matches in chunks, so that a worker is never busy with one match for long."""

import logging
import traceback
from datetime import datetime, timedelta
from time import monotonic
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from games.ai.models import AnalysedPiece, Analysis
from games.ai.queries import ANALYSED_TYPES, AnalysisDocument, render_analysis
from games.core.errors import Problem, raised, require_found
from games.gateway.ai import analyse_decisions
from games.gateway.documents import DecisionDocument
from games.gateway.positions import DealtRound
from games.gateway.records import TURNS
from games.identity.models import Player
from games.matches.models.log import Move, Round
from games.matches.models.match import MatchStatus
from games.matches.store import find_match, read_match

LEASE: Final = timedelta(seconds=60)
CHUNK_SECONDS: Final = 0.5
MAX_ATTEMPTS: Final = 3
# How long an analysis is stored; it can be requested again.
RETENTION: Final = timedelta(days=30)
DELETED_AT_ONCE: Final = 500

log = logging.getLogger(__name__)


def start_analysis(*, match_id: str, player: Player) -> AnalysisDocument:
    """Request the analysis of a finished match; return the existing one if there is one."""
    row = read_match(match_id, player)
    if row.status != MatchStatus.FINISHED:
        raise Problem("match_not_finished")
    total = Move.objects.filter(match_id=match_id, type__in=ANALYSED_TYPES).count()
    defaults = {
        "total": total,
        "wake_at": Now() if total else None,
        "player": player,
        "place": next_place(player),
    }
    analysis, _ = Analysis.objects.get_or_create(match_id=match_id, defaults=defaults)
    return render_analysis(analysis)


def next_place(player: Player | None, *, exclude: str = "") -> int:
    """Return the place of a player's next chunk: after the player's others, but not before all that wait.

    Chunks of the players are analysed in turn, as AI turns are taken (`games/matches/turn_order.py`).
    """
    waiting = Analysis.objects.filter(wake_at__isnull=False).exclude(pk=exclude)
    first = waiting.filter(attempts=0).order_by("place").values_list("place", flat=True).first()
    last = waiting.filter(player=player).order_by("-place").values_list("place", flat=True).first()
    return max(first or 0, 0 if last is None else last + 1)


def analyse_next_chunk() -> bool:
    """Analyse the next chunk in the order of the players; return False if none is due."""
    analysis = _claim()
    if analysis is None:
        return False
    if analysis.attempts > MAX_ATTEMPTS:
        Analysis.objects.filter(pk=analysis.pk).update(failed=True, wake_at=None)
        return True
    try:
        _continue(analysis)
    except Exception as error:  # noqa: BLE001 -- any failure is retried later, and other analyses continue
        log.error(  # noqa: TRY400 -- the error message may contain cards
            "analysis of match %s failed with %s\n%s",
            analysis.pk,
            type(error).__name__,
            "".join(traceback.format_tb(error.__traceback__)),
            extra=raised(error),
        )
    return True


def _claim() -> Analysis | None:
    """Lease the first due analysis in order and count the attempt."""
    with transaction.atomic():
        due = Analysis.objects.filter(wake_at__lte=Now()).order_by("place", "wake_at")
        analysis = due.select_for_update(skip_locked=True, no_key=True).first()
        if analysis is not None:
            analysis.attempts += 1
            Analysis.objects.filter(pk=analysis.pk).update(attempts=analysis.attempts, wake_at=Now() + LEASE)
    return analysis


def _continue(analysis: Analysis) -> None:
    """Analyse a chunk and store it, unless another worker has stored it in the meantime."""
    ended_rounds = Round.objects.filter(
        match_id=analysis.pk, number__gte=analysis.round_number, ended_at__isnull=False
    )
    number = ended_rounds.order_by("number").values_list("number", flat=True).first()
    if number is None:
        _at_same_position(analysis).update(wake_at=None, attempts=0)
        return
    start = analysis.entry if number == analysis.round_number else 0
    decisions, entry, is_complete = _analyse_chunk(analysis.pk, number, start)
    if is_complete:
        position = {"round_number": number + 1, "entry": 0}
    else:
        position = {"round_number": number, "entry": entry}
    with transaction.atomic():
        done = analysis.done + len(decisions)
        place = next_place(analysis.player, exclude=analysis.pk)
        updated = _at_same_position(analysis).update(
            done=done, attempts=0, wake_at=Now(), place=place, **position
        )
        if updated and decisions:
            AnalysedPiece.objects.create(analysis_id=analysis.pk, first=analysis.done, decisions=decisions)


def _at_same_position(analysis: Analysis) -> "QuerySet[Analysis]":
    """Return the analysis if no other worker has advanced it since it was read."""
    return Analysis.objects.filter(
        pk=analysis.pk, done=analysis.done, round_number=analysis.round_number, entry=analysis.entry
    )


def _analyse_chunk(match_id: str, number: int, start: int) -> tuple[list[DecisionDocument], int, bool]:
    """Analyse a round from entry `start` on.

    Return the decisions, the entry to continue with, and whether the round is complete.
    """
    row = require_found(find_match(match_id))
    played_round = Round.objects.get(match_id=match_id, number=number)
    turns = Move.objects.filter(match_id=match_id, round_number=number, type__in=TURNS).order_by("version")
    dealt = DealtRound(number, played_round.dealer, played_round.leader, played_round.deal)
    stop_at = monotonic() + CHUNK_SECONDS
    decisions: list[DecisionDocument] = []
    for entry, decision in analyse_decisions(
        row.agreement, dealt, list(turns.values_list("entry", flat=True)), start
    ):
        if decision is not None:
            decisions.append(decision)
        if monotonic() >= stop_at:
            return decisions, entry + 1, False
    return decisions, 0, True


def delete_old_analyses(*, now: datetime, at_most: int = DELETED_AT_ONCE) -> int:
    """Delete analyses that were requested long ago, and return their number. They can be requested again."""
    old = Analysis.objects.filter(begun_at__lt=now - RETENTION, wake_at=None).order_by("begun_at")
    analysis_ids = list(old.values_list("pk", flat=True)[:at_most])
    Analysis.objects.filter(pk__in=analysis_ids).delete()
    return len(analysis_ids)
