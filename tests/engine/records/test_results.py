"""The result: by points if the match was completed, otherwise as far as the record shows."""

import pytest

from engine.matches.ending import Length
from engine.records.record import Ending
from engine.records.writing import JsonObject, write_record
from engine.rulesets.catalogue import rule_set
from tests.engine.records.editing import edited, error_of, found
from tests.engine.records.recorded_matches import begin_match, play_match

TO_TARGET = write_record(play_match(rule_set("classic").at_table(players=2), Length(target=60)))
OF_ROUNDS = write_record(play_match(rule_set("revised").at_table(players=3), Length(rounds=2)))


def unfinished_match(players: int) -> JsonObject:
    """Return a match in its third round, not finished."""
    played = begin_match(rule_set("classic").at_table(players=players), Length(target=1000))
    while played.state.round.number < 3:
        played.act()
    played.recorder.abort(winners=(0,), totals=played.state.totals, reason=Ending.RESIGNED)
    return write_record(played.recorder.record())


OF_TWO, OF_THREE = unfinished_match(2), unfinished_match(3)


def resulting(record: JsonObject, reason: str, winners: list[int]) -> JsonObject:
    return edited(record, {"/result/reason": reason, "/result/winners": winners})


def test_a_completed_match_is_won_by_points() -> None:
    for record in (TO_TARGET, OF_ROUNDS):
        winners = found(record, "/result/winners")
        assert error_of(record) is None
        for wrong in ([], [0, 1], [(winners[0] + 1) % 2]):
            assert error_of(edited(record, {"/result/winners": wrong})) == ("wrong_result", "/result/winners")


def test_the_final_scores_must_be_the_totals() -> None:
    for seat in (0, 1):
        place = f"/result/scores/{seat}"
        for record in (TO_TARGET, OF_TWO):
            assert error_of(edited(record, {place: found(record, place) + 1})) == ("wrong_result", place)


def test_the_reason_must_match_the_agreed_length() -> None:
    assert error_of(edited(TO_TARGET, {"/result/reason": "rounds"})) == ("wrong_result", "/result/reason")
    assert error_of(edited(OF_ROUNDS, {"/result/reason": "target"})) == ("wrong_result", "/result/reason")


def test_a_match_is_not_over_before_its_length_is_reached() -> None:
    longer = edited(TO_TARGET, {"/target_score": 1000})
    assert error_of(longer) == ("match_not_over", "/result/reason")
    assert error_of(resulting(OF_TWO, "target", [0])) == ("match_not_over", "/result/reason")


@pytest.mark.parametrize("record", (TO_TARGET, OF_ROUNDS, OF_TWO, OF_THREE))
def test_a_record_without_result_is_valid(record: JsonObject) -> None:
    assert error_of(edited(record, {"/result": None})) is None


def test_a_completed_match_of_two_cannot_be_lost_by_leaving() -> None:
    for reason in ("resigned", "forfeit"):
        assert error_of(edited(TO_TARGET, {"/result/reason": reason})) == ("wrong_result", "/result/reason")


@pytest.mark.parametrize("reason", ("resigned", "forfeit"))
def test_with_two_players_either_seat_may_win_by_the_other_leaving(reason: str) -> None:
    for winners in ([0], [1]):
        assert error_of(resulting(OF_TWO, reason, winners)) is None
    for winners in ([], [0, 1]):
        assert error_of(resulting(OF_TWO, reason, winners)) == ("wrong_result", "/result/winners")


def test_with_three_players_a_remaining_seat_wins_even_if_an_ai_played_on() -> None:
    for record in (OF_THREE, OF_ROUNDS):
        for winner in (0, 1, 2):
            assert error_of(resulting(record, "resigned", [winner])) is None
        assert error_of(resulting(record, "resigned", [0, 1, 2])) == ("wrong_result", "/result/winners")


def test_with_three_players_joint_winners_have_equal_points() -> None:
    assert len(set(found(OF_THREE, "/rounds/1/totals"))) == 3
    assert error_of(resulting(OF_THREE, "resigned", [0, 1])) == ("wrong_result", "/result/winners")
    level = {"/rounds": [], "/result/scores": [0, 0, 0], "/result/winners": [0, 2]}
    assert error_of(edited(OF_THREE, level)) is None


def test_an_annulled_match_has_no_winners() -> None:
    assert error_of(resulting(OF_THREE, "annulled", [])) is None
    assert error_of(resulting(TO_TARGET, "annulled", [])) is None
    assert error_of(resulting(OF_THREE, "annulled", [0])) == ("wrong_result", "/result/winners")
