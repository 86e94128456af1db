import pytest

from engine.cards.card import Card
from games.ai import analysis as ai_analysis
from games.ai.analysis import MAX_ATTEMPTS, analyse_next_chunk, start_analysis
from games.ai.models import AnalysedPiece, Analysis
from games.ai.queries import analysis_form, status_of
from games.ai.services import take_turn
from games.core.errors import Problem
from games.matches.models.log import Move
from games.matches.models.match import Match, MatchStatus
from games.play.resignation import resign
from tests.support.factories import make_player, start_match


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little is thought of each decision: what is found does not matter here."""
    monkeypatch.setattr("engine.ai.analysis.SEARCHED", 8)
    monkeypatch.setattr("engine.ai.analysis.COMPARED", 4)


def finished(*levels: str) -> Match:
    """A match of one round that AIs have played to its end."""
    match = start_match(*(levels or ("easy", "random")), rounds=1)
    while (match := Match.objects.get(pk=match.pk)).status == MatchStatus.ACTIVE:
        assert take_turn(match_id=match.pk, version=match.version)
    return match


def asked(match: Match) -> Analysis:
    start_analysis(match_id=match.pk, player=make_player())
    return Analysis.objects.get(pk=match.pk)


def made(match: Match) -> Analysis:
    analysis = asked(match)
    while status_of(analysis) == "running":
        assert analyse_next_chunk()
        analysis = Analysis.objects.get(pk=match.pk)
    return analysis


def test_every_play_and_pass_is_looked_at_once_in_order(database: str) -> None:
    match = finished("easy", "random", "medium")
    form = analysis_form(made(match))
    versions = [decision["version"] for each in form["rounds"] for decision in each["decisions"]]
    logged = Move.objects.filter(match_id=match.pk, type__in=("play", "pass")).order_by("version")
    assert versions == list(logged.values_list("version", flat=True))
    assert (form["status"], form["done"]) == ("done", form["total"])
    assert not analyse_next_chunk()


def test_what_was_made_is_what_the_log_says_and_only_what_was_worse_costs(db: None) -> None:
    match = finished()
    (each,) = analysis_form(made(match))["rounds"]
    entries = {entry["version"]: entry for entry in match.moves.values_list("entry", flat=True)}
    for decision in each["decisions"]:
        entry = entries[decision["version"]]
        assert decision["made"]["cards"] == entry["cards"]
        assert decision["made"]["type"] == entry["type"]
        assert (decision["cost"] > 0) == (decision["made"] != decision["best"])
        assert 0 <= decision["chance"] <= 1
    assert set(each["turning_points"]) <= set(entries)


def test_it_is_made_in_pieces_that_go_on_where_the_last_one_ended(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ai_analysis, "CHUNK_SECONDS", 0)
    match = finished()
    analysis = made(match)
    pieces = list(AnalysedPiece.objects.filter(analysis=analysis).order_by("first"))
    assert [piece.first for piece in pieces] == list(range(analysis.total))
    assert all(len(piece.decisions) == 1 for piece in pieces)


def test_the_same_match_is_analysed_alike_in_large_pieces_and_small_ones(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = finished()
    whole = analysis_form(made(match))
    Analysis.objects.all().delete()
    monkeypatch.setattr(ai_analysis, "CHUNK_SECONDS", 0)
    assert analysis_form(made(match)) == whole


def test_asked_for_again_it_stays_as_it_is(db: None) -> None:
    match = finished()
    analysis = made(match)
    assert start_analysis(match_id=match.pk, player=make_player()) == analysis_form(analysis)


def test_a_piece_that_somebody_else_has_kept_meanwhile_is_not_kept_twice(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ai_analysis, "CHUNK_SECONDS", 3600)  # a whole round, however it begins
    analysis = asked(finished())
    look = ai_analysis._analyse_chunk

    def overtaken(match_id: str, number: int, first: int) -> object:
        monkeypatch.setattr(ai_analysis, "_analyse_chunk", look)
        Analysis.objects.filter(pk=match_id).update(wake_at=analysis.wake_at)
        assert analyse_next_chunk()
        return look(match_id, number, first)

    monkeypatch.setattr(ai_analysis, "_analyse_chunk", overtaken)
    assert analyse_next_chunk()
    assert [piece.first for piece in AnalysedPiece.objects.all()] == [0]
    analysis = Analysis.objects.get()
    assert analysis.done == analysis.total


def test_an_analysis_that_fails_again_and_again_is_given_up(
    db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    # A card alone is two letters, and two letters may stand in an id.
    cards = f"holding {Card.parse('7r')}"

    def broken(*_: object) -> None:
        raise ArithmeticError(cards)

    analysis = asked(finished())
    monkeypatch.setattr(ai_analysis, "_analyse_chunk", broken)
    for _ in range(MAX_ATTEMPTS + 1):
        Analysis.objects.update(wake_at=analysis.begun_at)
        assert analyse_next_chunk()
    assert status_of(Analysis.objects.get()) == "failed"
    assert not analyse_next_chunk()
    assert "ArithmeticError" in caplog.text
    assert cards not in caplog.text


def test_a_match_that_is_still_played_is_not_analysed(db: None) -> None:
    match = start_match("easy", "easy")
    with pytest.raises(Problem, match="not finished"):
        start_analysis(match_id=match.pk, player=make_player())


def test_a_match_that_was_resigned_is_analysed_as_far_as_it_went(db: None) -> None:
    player = make_player()
    match = start_match(player, "easy")
    resign(match_id=match.pk, player=player)
    assert status_of(made(Match.objects.get(pk=match.pk))) == "done"
