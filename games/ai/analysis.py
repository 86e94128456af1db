"""Analyse finished matches in small chunks."""

import logging
import traceback
from datetime import timedelta
from time import monotonic
from typing import Any, Final

from django.db import transaction
from django.db.models.functions import Now

from games.ai.models import AnalysedPiece, Analysis
from games.ai.queries import ANALYSED, analysis_form
from games.core.errors import Problem
from games.gateway.ai import analyse_decisions
from games.gateway.records import TURNS
from games.identity.models import Player
from games.matches.models.log import Move, Round
from games.matches.models.match import MatchStatus
from games.matches.store import find_match, read_match

Form = dict[str, Any]

LEASE: Final = timedelta(seconds=60)
CHUNK_SECONDS: Final = 0.5
MAX_ATTEMPTS: Final = 3

log = logging.getLogger(__name__)


def start_analysis(*, match_id: str, player: Player) -> Form:
    """Ask for the analysis of a match that is over; asked for again it stays as it is."""
    row = read_match(match_id, player)
    if row.status != MatchStatus.FINISHED:
        raise Problem("match_not_finished")
    total = Move.objects.filter(match_id=match_id, type__in=ANALYSED).count()
    analysis, _ = Analysis.objects.get_or_create(
        match_id=match_id, defaults={"total": total, "wake_at": Now() if total else None}
    )
    return analysis_form(analysis)


def analyse_next_chunk() -> bool:
    """Go on with the analysis that has waited longest; False when none is due."""
    analysis = _claim()
    if analysis is None:
        return False
    if analysis.attempts > MAX_ATTEMPTS:
        Analysis.objects.filter(pk=analysis.pk).update(failed=True, wake_at=None)
        return True
    try:
        _continue(analysis)
    except Exception as error:  # noqa: BLE001 -- whatever goes wrong, other analyses go on; tried again later
        log.error(  # noqa: TRY400 -- the message of the error may say too much
            "the analysis of %s failed with %s\n%s",
            analysis.pk,
            type(error).__name__,
            "".join(traceback.format_tb(error.__traceback__)),
        )
    return True


def _claim() -> Analysis | None:
    """Take the lease of what is due, and count the attempt."""
    with transaction.atomic():
        due = Analysis.objects.filter(wake_at__lte=Now()).order_by("wake_at")
        analysis = due.select_for_update(skip_locked=True, no_key=True).first()
        if analysis is not None:
            analysis.attempts += 1
            Analysis.objects.filter(pk=analysis.pk).update(attempts=analysis.attempts, wake_at=Now() + LEASE)
    return analysis


def _continue(analysis: Analysis) -> None:
    ended = Round.objects.filter(
        match_id=analysis.pk, number__gte=analysis.round_number, ended_at__isnull=False
    )
    number = ended.order_by("number").values_list("number", flat=True).first()
    if number is None:
        _same_place(analysis).update(wake_at=None, attempts=0)
        return
    first = analysis.entry if number == analysis.round_number else 0
    found, entry, whole = _analyse_chunk(analysis.pk, number, first)
    after = {"round_number": number + 1, "entry": 0} if whole else {"round_number": number, "entry": entry}
    with transaction.atomic():
        done = analysis.done + len(found)
        kept = _same_place(analysis).update(done=done, attempts=0, wake_at=Now(), **after)
        if kept and found:
            AnalysedPiece.objects.create(analysis_id=analysis.pk, first=analysis.done, decisions=found)


def _same_place(analysis: Analysis) -> Any:  # noqa: ANN401 -- a query set of analyses
    return Analysis.objects.filter(
        pk=analysis.pk, done=analysis.done, round_number=analysis.round_number, entry=analysis.entry
    )


def _analyse_chunk(match_id: str, number: int, first: int) -> tuple[list[Form], int, bool]:
    """What was found of a round from an entry on, the entry to go on with, and whether that was all."""
    row = find_match(match_id)
    if row is None:
        raise Problem("not_found")
    dealt = Round.objects.get(match_id=match_id, number=number)
    turns = Move.objects.filter(match_id=match_id, round_number=number, type__in=TURNS).order_by("version")
    form = {"number": number, "dealer": dealt.dealer, "leader": dealt.leader, **dealt.deal.reveal()}
    until, found = monotonic() + CHUNK_SECONDS, []
    for entry, decision in analyse_decisions(
        row.agreement, form, list(turns.values_list("entry", flat=True)), first
    ):
        if decision is not None:
            found.append(decision)
        if monotonic() >= until:
            return found, entry + 1, False
    return found, 0, True
