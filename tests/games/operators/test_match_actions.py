from datetime import timedelta
from typing import Any

import pytest

from games.ai.services import take_turn
from games.clock.timeouts import reclaim_seat
from games.identity.models import Player
from games.matches.models.match import Match
from games.operators import services as operators_services
from games.operators.models import OperatorAction
from games.records.verification import verify_matches
from tests.support.factories import (
    events,
    fault,
    last_entry,
    make_match,
    make_player,
    now_at,
    refusal,
    start_match,
    with_clock,
)

pytestmark = pytest.mark.usefixtures("database")


def parts(match: Match, **more: Any) -> Any:
    return {"operator": make_player(is_staff=True), "match_id": match.pk, "reason": "asked for", **more}


def test_each_deed_is_an_event_by_an_operator_kept_with_its_reason() -> None:
    match = with_clock()
    operators_services.extend_turn(**parts(match, seconds=3600))
    operators_services.pause_match(**parts(match))
    operators_services.resume_match(**parts(match))
    operators_services.replace_seat(**parts(match, seat=0))
    operators_services.annul_match(**parts(match))
    assert [(event, by) for event, _, by in events(match)[1:]] == [
        ("extended", "operator"),
        ("paused", "operator"),
        ("resumed", "operator"),
        ("caretaker", "operator"),
        ("annulled", "operator"),
    ]
    deeds = OperatorAction.objects.order_by("pk").values_list("deed", "reason")
    assert list(deeds) == [(deed, "asked for") for deed in ("extend", "pause", "resume", "replace", "annul")]
    verify_matches()


def test_more_time_is_so_much_more() -> None:
    match = with_clock()
    operators_services.extend_turn(**parts(match, seconds=3600))
    after = now_at(match).deadline
    assert after is not None
    assert match.deadline is not None
    assert after - match.deadline == timedelta(hours=1)


def test_a_turn_without_a_deadline_cannot_be_extended() -> None:
    with refusal("no_deadline"):
        operators_services.extend_turn(**parts(start_match(make_player(), make_player()), seconds=60))


def test_an_annulled_match_has_no_winner_and_its_round_is_laid_open_unscored() -> None:
    match = with_clock("easy", "easy")
    operators_services.annul_match(**parts(match))
    after = now_at(match)
    assert (after.status, after.deadline, after.wake_at) == ("finished", None, None)
    assert after.result == {"winners": [], "scores": [0, 0], "reason": "annulled"}
    ended, over = last_entry(match)["then"]
    assert (ended["type"], ended["scores"], over["result"]["reason"]) == ("round_end", None, "annulled")
    assert ended["link"]
    assert not take_turn(match_id=match.pk, version=after.version)


def test_a_paused_match_can_be_annulled() -> None:
    match = with_clock()
    operators_services.pause_match(**parts(match))
    operators_services.annul_match(**parts(match))
    assert now_at(match).status == "finished"
    verify_matches()


def test_a_seat_that_was_replaced_can_be_taken_back() -> None:
    people: list[Player] = [make_player(), make_player()]
    match = with_clock(*people)
    operators_services.replace_seat(**parts(match, seat=match.to_act))
    assert now_at(match).deadline is None
    with refusal("caretaker_playing"):
        operators_services.replace_seat(**parts(match, seat=match.to_act))
    with fault("/seat", "too_large"):
        operators_services.replace_seat(**parts(match, seat=2))
    reclaim_seat(match_id=match.pk, player=people[match.to_act or 0])
    assert now_at(match).deadline is not None
    verify_matches()


def test_a_match_that_has_not_begun_is_called_off_by_an_operator() -> None:
    match = make_match(make_player(), make_player())
    operators_services.cancel_open_match(**parts(match))
    assert events(match) == [("cancelled", None, "operator")]


def test_what_is_not_for_a_match_as_it_stands_is_refused() -> None:
    match = with_clock()
    with refusal("match_not_open"):
        operators_services.cancel_open_match(**parts(match))
    with refusal("match_not_paused"):
        operators_services.resume_match(**parts(match))
    operators_services.annul_match(**parts(match))
    for deed in (operators_services.pause_match, operators_services.annul_match):
        with refusal("match_not_active"):
            deed(**parts(match))
    with refusal("not_found"):
        operators_services.annul_match(**parts(match, match_id="m_nowhere"))
    with fault("/reason", "blank"):
        operators_services.annul_match(**parts(with_clock(), reason=" "))
