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
    last_entry,
    logged_events,
    make_match,
    make_player,
    raises_field_error,
    raises_problem,
    reload_match,
    start_match,
    start_timed_match,
)

pytestmark = pytest.mark.usefixtures("database")


def arguments(match: Match, **extra: Any) -> Any:
    return {"operator": make_player(is_staff=True), "match_id": match.pk, "reason": "asked for", **extra}


def test_each_action_is_an_event_by_an_operator_and_an_audit_log_entry() -> None:
    match = start_timed_match()
    operators_services.extend_turn(**arguments(match, seconds=3600))
    operators_services.pause_match(**arguments(match))
    operators_services.resume_match(**arguments(match))
    operators_services.replace_seat(**arguments(match, seat=0))
    operators_services.annul_match(**arguments(match))
    assert [(event, by) for event, _, by in logged_events(match)[1:]] == [
        ("extended", "operator"),
        ("paused", "operator"),
        ("resumed", "operator"),
        ("caretaker", "operator"),
        ("annulled", "operator"),
    ]
    actions = OperatorAction.objects.order_by("pk").values_list("action", "reason")
    assert list(actions) == [
        (action, "asked for") for action in ("extend", "pause", "resume", "replace", "annul")
    ]
    verify_matches()


def test_extension_moves_the_deadline_by_its_length() -> None:
    match = start_timed_match()
    operators_services.extend_turn(**arguments(match, seconds=3600))
    after = reload_match(match).deadline
    assert after is not None
    assert match.deadline is not None
    assert after - match.deadline == timedelta(hours=1)


def test_turn_without_a_deadline_cannot_be_extended() -> None:
    with raises_problem("no_deadline"):
        operators_services.extend_turn(**arguments(start_match(make_player(), make_player()), seconds=60))


def test_annulled_match_has_no_winner_and_its_round_is_revealed_but_not_scored() -> None:
    match = start_timed_match("easy", "easy")
    operators_services.annul_match(**arguments(match))
    after = reload_match(match)
    assert (after.status, after.deadline, after.wake_at) == ("finished", None, None)
    assert after.result == {"winners": [], "scores": [0, 0], "reason": "annulled"}
    ended, over = last_entry(match)["then"]
    assert (ended["type"], ended["scores"], over["result"]["reason"]) == ("round_end", None, "annulled")
    assert ended["link"]
    assert not take_turn(match_id=match.pk, version=after.version)


def test_paused_match_can_be_annulled() -> None:
    match = start_timed_match()
    operators_services.pause_match(**arguments(match))
    operators_services.annul_match(**arguments(match))
    assert reload_match(match).status == "finished"
    verify_matches()


def test_replaced_player_can_reclaim_the_seat() -> None:
    people: list[Player] = [make_player(), make_player()]
    match = start_timed_match(*people)
    operators_services.replace_seat(**arguments(match, seat=match.to_act))
    assert reload_match(match).deadline is None
    with raises_problem("caretaker_playing"):
        operators_services.replace_seat(**arguments(match, seat=match.to_act))
    with raises_field_error("/seat", "too_large"):
        operators_services.replace_seat(**arguments(match, seat=2))
    reclaim_seat(match_id=match.pk, player=people[match.to_act or 0])
    assert reload_match(match).deadline is not None
    verify_matches()


def test_operator_can_cancel_an_open_match() -> None:
    match = make_match(make_player(), make_player())
    operators_services.cancel_open_match(**arguments(match))
    assert logged_events(match) == [("cancelled", None, "operator")]


def test_action_is_rejected_if_the_status_of_the_match_does_not_allow_it() -> None:
    match = start_timed_match()
    with raises_problem("match_not_open"):
        operators_services.cancel_open_match(**arguments(match))
    with raises_problem("match_not_paused"):
        operators_services.resume_match(**arguments(match))
    operators_services.annul_match(**arguments(match))
    for action in (operators_services.pause_match, operators_services.annul_match):
        with raises_problem("match_not_active"):
            action(**arguments(match))
    with raises_problem("not_found"):
        operators_services.annul_match(**arguments(match, match_id="m_nowhere"))
    with raises_field_error("/reason", "blank"):
        operators_services.annul_match(**arguments(start_timed_match(), reason=" "))
