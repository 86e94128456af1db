import logging
import re
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from engine.cards.hand import cards_of, mask_of, parse_cards
from engine.combinations.ambiguity import Named
from engine.combinations.kinds import Kind
from engine.rounds.actions import Play
from engine.views.round_view import RoundView
from games.ai import services as ai_services
from games.ai.services import LEASE, MAX_ATTEMPTS, take_turn
from games.gateway import ai
from games.gateway.ai import Choice, fallback_action
from games.gateway.table import Table, parse_action
from games.matches.models.log import Actor, Move
from games.matches.models.match import Match, MatchStatus, Seat, SeatState
from tests.support.factories import make_player, read_row, start_match


def now_at(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


def play_out(match: Match) -> Match:
    while (match := now_at(match)).status == MatchStatus.ACTIVE:
        assert take_turn(match_id=match.pk, version=match.version)
    return match


@pytest.mark.parametrize("levels", (("easy", "random"), ("random", "easy", "random")))
def test_ais_play_a_match_to_its_end_with_every_version_in_the_log(
    database: str, levels: tuple[str, ...]
) -> None:
    match = play_out(start_match(*levels, rounds=2))
    assert match.status == MatchStatus.FINISHED
    versions = list(match.moves.order_by("version").values_list("version", flat=True))
    assert versions == list(range(1, match.version + 1))
    assert set(match.moves.exclude(type="started").values_list("by", flat=True)) == {Actor.AI}


def test_an_ai_waits_where_people_play_and_not_where_they_do_not(database: str, settings: Settings) -> None:
    settings.HAGGIS_AI_WAIT_SECONDS = 60
    with_people = start_match(make_player(), "easy")
    if with_people.to_act == 0:
        assert with_people.wake_at is None
    else:
        assert with_people.wake_at is not None
        assert with_people.wake_at > timezone.now() + timedelta(seconds=50)
    alone = start_match("easy", "easy")
    assert alone.wake_at is not None
    assert alone.wake_at <= timezone.now()


def test_an_answer_that_comes_early_is_held_back_for_the_rest_of_the_wait(database: str) -> None:
    match = start_match("easy", make_player())
    while now_at(match).to_act != 0:
        match = start_match("easy", make_player())
    held: list[tuple[float, Callable[[], object]]] = []
    assert not take_turn(match_id=match.pk, version=1, later=lambda *each: held.append(each))
    [(seconds, give)] = held
    assert 0 < seconds <= 1.0
    assert now_at(match).version == 1
    assert give()
    assert now_at(match).version == 2


def test_where_only_ais_play_nothing_is_held_back(database: str) -> None:
    match = start_match("easy", "easy")
    assert take_turn(match_id=match.pk, version=1, later=lambda *_: pytest.fail("held back"))


def test_a_turn_asked_for_twice_is_taken_once(database: str) -> None:
    match = start_match("easy", "easy")
    assert take_turn(match_id=match.pk, version=1)
    assert not take_turn(match_id=match.pk, version=1)
    assert now_at(match).version == 2


def test_nothing_is_done_at_a_match_that_is_not_there_not_running_or_a_players(database: str) -> None:
    assert not take_turn(match_id="m_nothing", version=1)
    match = start_match("easy", "easy")
    Match.objects.filter(pk=match.pk).update(status=MatchStatus.PAUSED)
    assert not take_turn(match_id=match.pk, version=1)
    players = start_match(make_player(), make_player())
    assert not take_turn(match_id=players.pk, version=1)
    assert now_at(players).version == 1


def test_two_workers_that_think_about_one_turn_at_once_make_one_move(
    committing_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both begin, one after the other, and both answer; the second answer is too late."""
    match = start_match("easy", "easy")
    both_think = threading.Barrier(2, timeout=20)

    def choose_together(view: RoundView, level: str) -> Choice:
        both_think.wait()
        return ai.choose_action(view, level)

    monkeypatch.setattr(ai_services, "choose_action", choose_together)
    taken: list[bool] = []

    def work() -> None:
        try:
            taken.append(take_turn(match_id=match.pk, version=1) is not None)
        finally:
            connection.close()

    first = threading.Thread(target=work)
    first.start()
    while now_at(match).attempts == 0:
        pass
    second = threading.Thread(target=work)
    second.start()
    first.join()
    second.join()
    assert sorted(taken) == [False, True]
    assert now_at(match).version == 2
    assert Move.objects.filter(match=match).count() == 2


def test_a_worker_that_read_the_match_before_another_began_leaves_it_alone(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = start_match("easy", "easy")
    row = read_row(match)
    Match.objects.filter(pk=match.pk).update(attempts=1)
    monkeypatch.setattr(ai_services, "find_match", lambda _: row)
    assert not take_turn(match_id=match.pk, version=1)
    assert now_at(match).attempts == 1


def test_whoever_begins_to_think_has_a_lease_and_one_that_dies_counts(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = start_match("easy", "easy")

    class Killed(BaseException):
        pass

    def die(*_: object) -> Choice:
        raise Killed

    monkeypatch.setattr(ai_services, "choose_action", die)
    for attempt in range(1, MAX_ATTEMPTS + 1):
        with pytest.raises(Killed):
            take_turn(match_id=match.pk, version=1)
        left = now_at(match)
        assert left.attempts == attempt
        assert left.wake_at is not None
        assert left.wake_at > timezone.now() + LEASE / 2
    assert take_turn(match_id=match.pk, version=1)
    assert (now_at(match).version, now_at(match).attempts) == (2, 0)


def breaking(*_: object) -> Choice:
    hand = "7r"
    raise ValueError(f"cannot think about {hand}")


def cheating(*_: object) -> Choice:
    return Choice("play", parse_action({"type": "play", "cards": ["2r", "3o", "4y", "9g", "K"]}))


@pytest.mark.parametrize("choose", (breaking, cheating))
def test_after_three_failures_a_plain_move_is_made_and_no_card_is_logged(
    database: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    choose: Callable[..., Choice],
) -> None:
    monkeypatch.setattr(ai_services, "choose_action", choose)
    match = start_match("easy", "easy")
    with caplog.at_level(logging.ERROR):
        assert [bool(take_turn(match_id=match.pk, version=1)) for _ in range(3)] == [False, False, True]
    move = Move.objects.get(match=match, version=2)
    assert move.type == "play"
    assert len(move.entry["cards"]) == 1
    assert caplog.text.count("attempt") == 3
    assert "a plain move" in caplog.text
    assert not re.search(r"\b(7r|2r)\b", caplog.text)  # an id may hold these letters too


def test_a_failure_is_tried_again_soon(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ai_services, "choose_action", breaking)
    match = start_match("easy", "easy")
    assert not take_turn(match_id=match.pk, version=1)
    wake_at = now_at(match).wake_at
    assert wake_at is not None
    assert wake_at < timezone.now() + LEASE / 2


def test_a_match_is_played_to_its_end_by_plain_moves_alone(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ai_services, "choose_action", breaking)
    match = start_match("easy", "easy", "easy", rounds=1)
    while (match := now_at(match)).status == MatchStatus.ACTIVE:
        take_turn(match_id=match.pk, version=match.version)
    assert match.status == MatchStatus.FINISHED


@pytest.mark.parametrize(
    ("state", "by"), ((SeatState.CARETAKER, Actor.CARETAKER), (SeatState.RESIGNED, Actor.AI))
)
def test_a_seat_that_its_player_left_is_played_and_the_log_says_by_whom(
    database: str, state: SeatState, by: Actor
) -> None:
    match = start_match(make_player(), make_player(), make_player())
    Seat.objects.filter(match=match, number=match.to_act or 0).update(state=state)
    assert take_turn(match_id=match.pk, version=1)
    assert Move.objects.get(match=match, version=2).by == by


def test_an_ai_is_shown_its_own_hand_alone(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[RoundView, str]] = []

    def choose(view: RoundView, level: str) -> Choice:
        seen.append((view, level))
        return ai.choose_action(view, level)

    monkeypatch.setattr(ai_services, "choose_action", choose)
    match = start_match("easy", "random")
    take_turn(match_id=match.pk, version=1)
    [(view, level)] = seen
    assert level == ("easy", "random")[match.to_act or 0]
    assert view.seat == match.to_act
    assert view == Table.view(read_row_table(match), match.to_act)


def read_row_table(match: Match) -> Table:
    """The table before anything was played, from the deals."""
    row = read_row(match)
    return Table.start(row.agreement, row.deals())


def test_the_plain_move_of_a_leader_is_the_lowest_suit_card(database: str) -> None:
    match = start_match("easy", "easy")
    view = read_row_table(match).view(match.to_act)
    choice = fallback_action(view, [0, 0])
    assert choice.event == "play"
    assert repr(choice) == "<play>"
    held = [card for card in cards_of(view.hand or 0) if not card.is_face]
    lowest = min(held, key=lambda card: (card.rank, card.suit))
    named = Named(kind=Kind.SET, top=lowest.rank, width=1, length=1)
    assert choice.action == Play((lowest,), named)


def test_the_plain_move_of_a_leader_with_face_cards_alone_is_the_lowest_of_them(database: str) -> None:
    match = start_match("easy", "easy")
    view = read_row_table(match).view(match.to_act)
    for held, lowest in (("J Q K", "J"), ("Q K", "Q"), ("2y J", "2y")):
        choice = fallback_action(replace(view, hand=mask_of(parse_cards(held))), [0, 0])
        assert isinstance(choice.action, Play)
        assert choice.action.cards == parse_cards(lowest)
