from datetime import timedelta

import pytest
from django.db.models import F

from engine.cards.card import Card
from games.ai import analysis as ai_analysis
from games.ai.analysis import MAX_ATTEMPTS, analyse_next_chunk, start_analysis
from games.ai.models import AnalysedPiece, Analysis
from games.ai.queries import analysis_status, render_analysis
from games.core.errors import Problem
from games.matches.models.log import Move
from games.matches.models.match import Match
from games.play.resignation import resign
from tests.support.factories import make_player, play_ai_turns, start_match

pytestmark = pytest.mark.usefixtures("fast_analysis")


def finished_match(*levels: str) -> Match:
    """Return a finished match of one round between AIs."""
    return play_ai_turns(start_match(*(levels or ("easy", "random")), rounds=1))


def requested_analysis(match: Match) -> Analysis:
    start_analysis(match_id=match.pk, player=make_player())
    return Analysis.objects.get(pk=match.pk)


def end_lease(analysis: Analysis) -> None:
    """Make the analysis due again."""
    # SQLite compares times as text, and its clock has milliseconds only: "00.123000" is later than "00.123".
    Analysis.objects.filter(pk=analysis.pk).update(wake_at=analysis.begun_at - timedelta(seconds=1))


def completed_analysis(match: Match) -> Analysis:
    analysis = requested_analysis(match)
    while analysis_status(analysis) == "running":
        assert analyse_next_chunk()
        analysis = Analysis.objects.get(pk=match.pk)
    return analysis


def test_every_play_and_pass_is_analysed_once_in_order(database: str) -> None:
    match = finished_match("easy", "random", "medium")
    rendered = render_analysis(completed_analysis(match))
    versions = [decision["version"] for each in rendered["rounds"] for decision in each["decisions"]]
    logged = Move.objects.filter(match_id=match.pk, type__in=("play", "pass")).order_by("version")
    assert versions == list(logged.values_list("version", flat=True))
    assert (rendered["status"], rendered["done"]) == ("done", rendered["total"])
    assert not analyse_next_chunk()


def test_analysed_moves_match_the_log_and_only_inferior_moves_have_a_cost(db: None) -> None:
    match = finished_match()
    (each,) = render_analysis(completed_analysis(match))["rounds"]
    entries = {entry["version"]: entry for entry in match.moves.values_list("entry", flat=True)}
    for decision in each["decisions"]:
        entry = entries[decision["version"]]
        assert decision["made"]["cards"] == entry["cards"]
        assert decision["made"]["type"] == entry["type"]
        assert (decision["cost"] > 0) == (decision["made"] != decision["best"])
        assert 0 <= decision["chance"] <= 1
    assert set(each["turning_points"]) <= set(entries)


def test_each_chunk_continues_where_the_previous_one_ended(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ai_analysis, "CHUNK_SECONDS", 0)
    match = finished_match()
    analysis = completed_analysis(match)
    pieces = list(AnalysedPiece.objects.filter(analysis=analysis).order_by("first"))
    assert [piece.first for piece in pieces] == list(range(analysis.total))
    assert all(len(piece.decisions) == 1 for piece in pieces)


def test_chunk_size_does_not_change_the_analysis(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    match = finished_match()
    in_one_chunk = render_analysis(completed_analysis(match))
    Analysis.objects.all().delete()
    monkeypatch.setattr(ai_analysis, "CHUNK_SECONDS", 0)
    assert render_analysis(completed_analysis(match)) == in_one_chunk


def test_repeated_request_returns_the_existing_analysis(db: None) -> None:
    match = finished_match()
    analysis = completed_analysis(match)
    assert start_analysis(match_id=match.pk, player=make_player()) == render_analysis(analysis)


def test_chunk_stored_by_another_worker_is_not_stored_again(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ai_analysis, "CHUNK_SECONDS", 3600)  # enough for a whole round
    analysis = requested_analysis(finished_match())
    analyse_chunk = ai_analysis._analyse_chunk

    def analyse_after_another_worker(match_id: str, number: int, start: int) -> object:
        monkeypatch.setattr(ai_analysis, "_analyse_chunk", analyse_chunk)
        end_lease(analysis)
        assert analyse_next_chunk()
        return analyse_chunk(match_id, number, start)

    monkeypatch.setattr(ai_analysis, "_analyse_chunk", analyse_after_another_worker)
    assert analyse_next_chunk()
    assert [piece.first for piece in AnalysedPiece.objects.all()] == [0]
    analysis = Analysis.objects.get()
    assert analysis.done == analysis.total


def test_analysis_fails_for_good_after_too_many_failed_attempts(
    db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # The two letters of a card alone might also occur in an id.
    cards = f"holding {Card.parse('7r')}"

    def fail(*_: object) -> None:
        raise ArithmeticError(cards)

    analysis = requested_analysis(finished_match())
    monkeypatch.setattr(ai_analysis, "_analyse_chunk", fail)
    for _ in range(MAX_ATTEMPTS + 1):
        end_lease(analysis)
        assert analyse_next_chunk()
    assert analysis_status(Analysis.objects.get()) == "failed"
    assert not analyse_next_chunk()
    assert "ArithmeticError" in caplog.text
    assert cards not in caplog.text


def test_unfinished_match_cannot_be_analysed(db: None) -> None:
    match = start_match("easy", "easy")
    with pytest.raises(Problem, match="not finished"):
        start_analysis(match_id=match.pk, player=make_player())


def test_resigned_match_is_analysed_up_to_the_resignation(db: None) -> None:
    player = make_player()
    match = start_match(player, "easy")
    resign(match_id=match.pk, player=player)
    assert analysis_status(completed_analysis(Match.objects.get(pk=match.pk))) == "done"


def test_players_take_turns_however_many_analyses_one_of_them_has_requested(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of them gets every second chunk."""
    monkeypatch.setattr(ai_analysis, "CHUNK_SECONDS", 0)
    analysed: list[str] = []
    analyse_chunk = ai_analysis._analyse_chunk

    def record_and_analyse(match_id: str, number: int, start: int) -> object:
        analysed.append(match_id)
        return analyse_chunk(match_id, number, start)

    monkeypatch.setattr(ai_analysis, "_analyse_chunk", record_and_analyse)
    one, two = make_player(), make_player()
    matches = [finished_match("random", "random") for _ in range(5)]
    for match in matches[:4]:
        start_analysis(match_id=match.pk, player=one)
    start_analysis(match_id=matches[4].pk, player=two)
    Analysis.objects.update(wake_at=F("begun_at") - timedelta(seconds=1))
    for _ in range(8):
        assert analyse_next_chunk()
        Analysis.objects.update(wake_at=F("begun_at") - timedelta(seconds=1))
    assert analysed.count(matches[4].pk) == 4
    assert len(set(analysed[:5])) >= 3
