import logging
import re
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

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
from games.ai.attempts import MAX_ATTEMPTS_STORED, RETENTION, delete_old_attempts
from games.ai.models import TurnAttempt
from games.ai.services import MAX_ATTEMPTS, take_turn
from games.gateway import ai
from games.gateway.ai import Choice, fallback_action
from games.gateway.table import Table, parse_action
from games.matches.models.log import Actor, Move
from games.matches.models.match import Match, MatchStatus, Seat, SeatState
from games.matches.turn_order import LEASE
from tests.support.factories import make_player, play_ai_turns, read_row, reload_match, start_match


@pytest.mark.parametrize("levels", (("easy", "random"), ("random", "easy", "random")))
def test_ais_finish_a_match_and_the_log_contains_every_version(
    database: str, levels: tuple[str, ...]
) -> None:
    match = play_ai_turns(start_match(*levels, rounds=2))
    assert match.status == MatchStatus.FINISHED
    versions = list(match.moves.order_by("version").values_list("version", flat=True))
    assert versions == list(range(1, match.version + 1))
    assert set(match.moves.exclude(type="started").values_list("by", flat=True)) == {Actor.AI}


def test_ai_waits_before_it_answers_only_in_matches_with_people(database: str, settings: Settings) -> None:
    settings.HAGGIS_AI_WAIT_SECONDS = 60
    match_with_people = start_match(make_player(), "easy")
    if match_with_people.to_act == 0:
        assert match_with_people.turn_due_at is None
    else:
        assert match_with_people.turn_due_at is not None
        assert match_with_people.turn_due_at > timezone.now() + timedelta(seconds=50)
    match_of_ais = start_match("easy", "easy")
    assert match_of_ais.turn_due_at is not None
    assert match_of_ais.turn_due_at <= timezone.now()


def test_early_ai_answer_is_deferred_for_the_rest_of_the_wait(database: str) -> None:
    match = start_match("easy", make_player())
    while reload_match(match).to_act != 0:
        match = start_match("easy", make_player())
    deferred: list[tuple[float, Callable[[], object]]] = []
    assert not take_turn(match_id=match.pk, version=1, defer=lambda *each: deferred.append(each))
    [(seconds, commit)] = deferred
    assert 0 < seconds <= 1.0
    assert reload_match(match).version == 1
    assert commit()
    assert reload_match(match).version == 2


def test_fixed_wait_of_the_next_ai_begins_when_the_deferred_answer_is_given(database: str) -> None:
    """Otherwise the wait is over by then, and the next answer comes when that AI has finished thinking."""
    match = start_match("easy", "easy", make_player())
    while reload_match(match).to_act != 0:
        match = start_match("easy", "easy", make_player())
    deferred: list[Callable[[], object]] = []
    assert not take_turn(match_id=match.pk, version=1, defer=lambda _, commit: deferred.append(commit))
    time.sleep(0.4)
    given_at = read_row(match).now
    assert deferred[0]()
    after = read_row(match)
    assert after.turn_due_at is not None
    assert after.turn_due_at >= given_at + timedelta(seconds=0.95)
    entry = Move.objects.get(match=match, version=2).entry
    assert datetime.fromisoformat(entry["at"]) >= given_at - timedelta(milliseconds=50)


def test_ai_answer_is_not_deferred_in_a_match_of_ais(database: str) -> None:
    match = start_match("easy", "easy")
    assert take_turn(match_id=match.pk, version=1, defer=lambda *_: pytest.fail("deferred"))


def test_turn_requested_twice_is_taken_once(database: str) -> None:
    match = start_match("easy", "easy")
    assert take_turn(match_id=match.pk, version=1)
    assert not take_turn(match_id=match.pk, version=1)
    assert reload_match(match).version == 2


def test_take_turn_ignores_unknown_matches_paused_matches_and_turns_of_players(database: str) -> None:
    assert not take_turn(match_id="m_nothing", version=1)
    match = start_match("easy", "easy")
    Match.objects.filter(pk=match.pk).update(status=MatchStatus.PAUSED)
    assert not take_turn(match_id=match.pk, version=1)
    match_of_people = start_match(make_player(), make_player())
    assert not take_turn(match_id=match_of_people.pk, version=1)
    assert reload_match(match_of_people).version == 1


def test_two_workers_on_the_same_turn_make_one_move(
    committing_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both workers start, one after the other, and both answer; the second answer is too late."""
    match = start_match("easy", "easy")
    barrier = threading.Barrier(2, timeout=20)

    def choose_together(view: RoundView, level: str, within: float | None) -> Choice:
        barrier.wait()
        return ai.choose_action(view, level, within)

    monkeypatch.setattr(ai_services, "choose_action", choose_together)
    taken: list[bool] = []

    def work() -> None:
        try:
            taken.append(take_turn(match_id=match.pk, version=1) is not None)
        finally:
            connection.close()

    first = threading.Thread(target=work)
    first.start()
    while reload_match(match).attempts == 0:
        pass
    second = threading.Thread(target=work)
    second.start()
    first.join()
    second.join()
    assert sorted(taken) == [False, True]
    assert reload_match(match).version == 2
    assert Move.objects.filter(match=match).count() == 2


def test_worker_leaves_a_turn_that_another_worker_leased_after_it_read_the_match(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = start_match("easy", "easy")
    row = read_row(match)
    Match.objects.filter(pk=match.pk).update(attempts=1)
    monkeypatch.setattr(ai_services, "find_match", lambda _: row)
    assert not take_turn(match_id=match.pk, version=1)
    assert reload_match(match).attempts == 1


class Killed(BaseException):
    """The end of a worker."""


def die(*_: object) -> Choice:
    raise Killed


def test_worker_leases_the_turn_and_a_killed_worker_counts_as_an_attempt(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = start_match("easy", "easy")
    monkeypatch.setattr(ai_services, "choose_action", die)
    for attempt in range(1, MAX_ATTEMPTS + 1):
        with pytest.raises(Killed):
            take_turn(match_id=match.pk, version=1)
        current = reload_match(match)
        assert current.attempts == attempt
        assert current.wake_at is not None
        assert current.wake_at > timezone.now() + LEASE / 2
    assert take_turn(match_id=match.pk, version=1)
    assert (reload_match(match).version, reload_match(match).attempts) == (2, 0)


def fail(*_: object) -> Choice:
    hand = "7r"
    raise ValueError(f"cannot think about {hand}")


def choose_illegal_move(*_: object) -> Choice:
    return Choice("play", parse_action({"type": "play", "cards": ["2r", "3o", "4y", "9g", "K"]}))


@pytest.mark.parametrize("choose", (fail, choose_illegal_move))
def test_fallback_move_is_made_after_three_failures_and_no_card_is_logged(
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
    assert "fallback move" in caplog.text
    assert not re.search(r"\b(7r|2r)\b", caplog.text)  # an id may contain these letters too


def stored_attempts(match: Match) -> list[tuple[int, int, str, str]]:
    """Return version, number, outcome and error of the stored attempts, oldest first."""
    attempts = TurnAttempt.objects.filter(match=match).order_by("pk")
    return list(attempts.values_list("version", "attempt", "outcome", "error"))


def test_failed_attempts_and_the_fallback_move_are_stored_without_cards(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ai_services, "choose_action", fail)
    match = start_match("easy", "easy")
    for _ in range(3):
        take_turn(match_id=match.pk, version=1)
    failures = [(1, number, "failed", "ValueError") for number in (1, 2, 3)]
    assert stored_attempts(match) == [*failures, (1, 3, "fallback", "")]
    first = TurnAttempt.objects.filter(match=match).earliest("pk")
    assert (first.seat, first.level) == (match.to_act, "easy")
    assert re.fullmatch(r"games/ai/test_ai_turns\.py:\d+ fail", first.place)
    for attempt in TurnAttempt.objects.values():
        assert "7r" not in str({**attempt, "match_id": ""})


def test_attempt_of_a_killed_worker_is_stored_by_the_next(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = start_match("easy", "easy")
    with monkeypatch.context() as patch:
        patch.setattr(ai_services, "choose_action", die)
        with pytest.raises(Killed):
            take_turn(match_id=match.pk, version=1)
    assert stored_attempts(match) == []
    assert take_turn(match_id=match.pk, version=1)
    assert stored_attempts(match) == [(1, 1, "interrupted", "")]


def test_only_the_last_attempts_of_a_match_are_stored_for_a_while(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ai_services, "choose_action", fail)
    match, other = start_match("easy", "easy"), start_match("easy", "easy")
    take_turn(match_id=other.pk, version=1)
    for version in range(1, 16):
        for _ in range(3):
            take_turn(match_id=match.pk, version=version)
    stored = stored_attempts(match)
    assert (len(stored), stored[-1]) == (MAX_ATTEMPTS_STORED, (15, 3, "fallback", ""))
    assert len(stored_attempts(other)) == 1
    assert delete_old_attempts(now=timezone.now() + RETENTION - timedelta(hours=1)) == 0
    assert delete_old_attempts(now=timezone.now() + RETENTION + timedelta(hours=1)) == MAX_ATTEMPTS_STORED + 1


def test_failed_attempt_is_retried_before_the_lease_expires(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ai_services, "choose_action", fail)
    match = start_match("easy", "easy")
    assert not take_turn(match_id=match.pk, version=1)
    wake_at = reload_match(match).wake_at
    assert wake_at is not None
    assert wake_at < timezone.now() + LEASE / 2


def test_match_can_be_finished_with_fallback_moves_only(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ai_services, "choose_action", fail)
    match = start_match("easy", "easy", "easy", rounds=1)
    while (match := reload_match(match)).status == MatchStatus.ACTIVE:
        take_turn(match_id=match.pk, version=match.version)
    assert match.status == MatchStatus.FINISHED


@pytest.mark.parametrize(
    ("state", "by"), ((SeatState.CARETAKER, Actor.CARETAKER), (SeatState.RESIGNED, Actor.AI))
)
def test_ai_plays_abandoned_seats_and_the_log_names_the_actor(
    database: str, state: SeatState, by: Actor
) -> None:
    match = start_match(make_player(), make_player(), make_player())
    Seat.objects.filter(match=match, number=match.to_act or 0).update(state=state)
    assert take_turn(match_id=match.pk, version=1)
    assert Move.objects.get(match=match, version=2).by == by


def test_ai_sees_only_its_own_hand(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[RoundView, str]] = []

    def choose(view: RoundView, level: str, within: float | None) -> Choice:
        seen.append((view, level))
        return ai.choose_action(view, level, within)

    monkeypatch.setattr(ai_services, "choose_action", choose)
    match = start_match("easy", "random")
    take_turn(match_id=match.pk, version=1)
    [(view, level)] = seen
    assert level == ("easy", "random")[match.to_act or 0]
    assert view.seat == match.to_act
    assert view == Table.view(initial_table(match), match.to_act)


def initial_table(match: Match) -> Table:
    """Return the table as dealt, before the first move."""
    row = read_row(match)
    return Table.start(row.agreement, row.deals())


def test_fallback_lead_is_the_lowest_suit_card(database: str) -> None:
    match = start_match("easy", "easy")
    view = initial_table(match).view(match.to_act)
    choice = fallback_action(view, [0, 0])
    assert choice.event == "play"
    assert repr(choice) == "<play>"
    suit_cards = [card for card in cards_of(view.hand or 0) if not card.is_face]
    lowest = min(suit_cards, key=lambda card: (card.rank, card.suit))
    named = Named(kind=Kind.SET, top=lowest.rank, width=1, length=1)
    assert choice.action == Play((lowest,), named)


def test_fallback_lead_from_face_cards_only_is_the_lowest_of_them(database: str) -> None:
    match = start_match("easy", "easy")
    view = initial_table(match).view(match.to_act)
    for hand, lowest in (("J Q K", "J"), ("Q K", "Q"), ("2y J", "2y")):
        choice = fallback_action(replace(view, hand=mask_of(parse_cards(hand))), [0, 0])
        assert isinstance(choice.action, Play)
        assert choice.action.cards == parse_cards(lowest)


@pytest.mark.parametrize(
    ("cpu_share", "within", "ends_after"),
    (
        (1.0, 0.9, 0.4),  # an idle machine: the budget
        (0.1, 0.9, 0.9),  # a busy one: when the answer is due
        (0.5, 0.9, 0.8),
        (0.1, 0.2, 0.4),  # taken late: as long as on an idle machine
        (0.1, -3.0, 0.4),
    ),
)
def test_search_ends_when_its_answer_is_due(
    monkeypatch: pytest.MonkeyPatch, cpu_share: float, within: float, ends_after: float
) -> None:
    now = {"real": 50.0}
    monkeypatch.setattr(ai, "monotonic", lambda: now["real"])
    monkeypatch.setattr(ai, "thread_time", lambda: 7.0 + (now["real"] - 50.0) * cpu_share)
    clock = ai.limited_clock(0.4, within)
    assert clock() == 0
    now["real"] = 50.0 + ends_after - 0.01
    assert clock() < 0.4
    now["real"] = 50.0 + ends_after + 0.01
    assert clock() > 0.4


def test_search_is_limited_by_when_its_answer_is_due_if_people_play(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[float | None] = []

    def choose(view: RoundView, level: str, within: float | None) -> Choice:
        limits.append(within)
        return ai.choose_action(view, level, within)

    monkeypatch.setattr(ai_services, "choose_action", choose)
    match = start_match("hard", make_player(), make_player())
    while match.to_act != 0:
        match = start_match("hard", make_player(), make_player())
    assert take_turn(match_id=match.pk, version=1)
    assert take_turn(match_id=start_match("hard", "hard").pk, version=1)
    [with_people, between_ais] = limits
    assert with_people is not None
    assert 0 < with_people < 1.0
    assert between_ais is None
