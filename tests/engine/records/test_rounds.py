"""Replaying a round: every action by the rules, then who went out, every score and every total."""

import pytest

from engine.matches.ending import Length
from engine.records.record import Ending
from engine.records.writing import JsonObject, write_record
from engine.rulesets.catalogue import rule_set
from tests.engine.records.editing import edited, error_of, found
from tests.engine.records.recorded_matches import begin_match, play_match

MATCH = write_record(play_match(rule_set("classic").at_table(players=3), Length(rounds=2)))
ACTIONS = MATCH["rounds"][1]["actions"]
AT = "/rounds/1/actions"


def with_actions(actions: list[JsonObject]) -> JsonObject:
    return edited(MATCH, {AT: actions})


def first(**fields: object) -> int:
    """Return the index of the first action of the second round with these fields."""
    return next(
        index
        for index, action in enumerate(ACTIONS)
        if all(action.get(name) == value for name, value in fields.items())
    )


def inserted(index: int, action: JsonObject) -> JsonObject:
    return with_actions([*ACTIONS[:index], action, *ACTIONS[index:]])


LEAD = first(type="play")
SEAT = ACTIONS[LEAD]["seat"]


@pytest.mark.parametrize(
    ("index", "action", "code"),
    (
        (LEAD, {"seat": SEAT, "type": "pass"}, "must_lead"),
        (LEAD, {"seat": (SEAT + 1) % 3, "type": "pass"}, "not_your_turn"),
        (LEAD, {"seat": SEAT, "type": "award", "to": 0}, "award_invalid"),
        (LEAD, {"seat": SEAT, "type": "bet", "amount": 7}, "bet_invalid"),
        (
            LEAD,
            {"seat": SEAT, "type": "play", "cards": ["J", "K"], "as": {"kind": "set"}},
            "not_a_combination",
        ),
        (LEAD + 1, {"seat": SEAT, "type": "bet", "amount": 15}, "bet_closed"),
        (len(ACTIONS), {"seat": 0, "type": "pass"}, "round_over"),
    ),
)
def test_the_first_illegal_action_is_reported_with_the_code_of_its_refusal(
    index: int, action: JsonObject, code: str
) -> None:
    assert error_of(inserted(index, action)) == (code, f"{AT}/{index}")


def test_a_card_that_is_not_in_the_hand_is_reported() -> None:
    cards = found(MATCH, f"{AT}/{LEAD}/cards")
    foreign = next(card for card in found(MATCH, "/rounds/1/haggis") if card not in cards)
    place = f"{AT}/{LEAD}"
    assert error_of(edited(MATCH, {f"{place}/cards": [foreign]})) == ("card_not_in_hand", place)


def test_an_ambiguous_play_must_be_named() -> None:
    hand = ["3r", "J", "Q"]
    record = write_record(play_match(rule_set("classic").at_table(players=2), Length(rounds=1)))
    seat = found(record, "/rounds/0/leader")
    card = next(card for card in found(record, f"/rounds/0/hands/{seat}") if card[0] in "3456")
    play = {"seat": seat, "type": "play", "cards": [card, *hand[1:]]}
    changed = edited(record, {"/rounds/0/actions": [play]})
    assert error_of(changed) == ("ambiguous_combination", "/rounds/0/actions/0")


def test_a_round_with_scores_must_be_complete() -> None:
    assert error_of(with_actions(ACTIONS[:-1])) == ("round_unfinished", AT)


@pytest.mark.parametrize("item", ("going_out", "first_out_bonus", "captured", "bets", "total"))
@pytest.mark.parametrize("seat", (0, 1, 2))
def test_every_item_of_every_score_is_checked(item: str, seat: int) -> None:
    place = f"/rounds/1/scores/{seat}/{item}"
    assert error_of(edited(MATCH, {place: found(MATCH, place) + 1})) == ("wrong_scores", place)


def test_scores_must_be_in_seat_order() -> None:
    scores = found(MATCH, "/rounds/0/scores")
    assert error_of(edited(MATCH, {"/rounds/0/scores": scores[::-1]})) == (
        "wrong_scores",
        "/rounds/0/scores/0/seat",
    )


@pytest.mark.parametrize("seat", (0, 1, 2))
def test_every_total_is_checked(seat: int) -> None:
    place = f"/rounds/1/totals/{seat}"
    assert error_of(edited(MATCH, {place: found(MATCH, place) - 1})) == ("wrong_totals", place)


def test_a_completed_round_must_have_scores_and_totals() -> None:
    assert error_of(edited(MATCH, {"/rounds/1/scores": None})) == ("wrong_scores", "/rounds/1/scores")
    assert error_of(edited(MATCH, {"/rounds/1/totals": None})) == ("wrong_totals", "/rounds/1/totals")


def test_the_order_of_going_out_is_checked() -> None:
    out = found(MATCH, "/rounds/0/out")
    for wrong in (out[::-1], out[:1], list[int]()):
        assert error_of(edited(MATCH, {"/rounds/0/out": wrong})) == ("wrong_out", "/rounds/0/out")


def cut_short() -> JsonObject:
    """Return a three-player match that was annulled in its second round, with one player out."""
    played = begin_match(rule_set("classic").at_table(players=3), Length.agreed())
    while not (played.state.round.number == 2 and played.state.round.position.out):
        played.act()
    played.recorder.abort(winners=(), totals=played.state.totals, reason=Ending.ANNULLED)
    return write_record(played.recorder.record())


CUT_SHORT = cut_short()


def test_a_round_cut_short_is_valid_without_scores() -> None:
    assert found(CUT_SHORT, "/rounds/1/scores") is None
    assert found(CUT_SHORT, "/rounds/1/totals") is None
    assert error_of(CUT_SHORT) is None


def test_a_round_cut_short_may_repeat_the_unchanged_totals() -> None:
    totals = found(CUT_SHORT, "/rounds/0/totals")
    assert error_of(edited(CUT_SHORT, {"/rounds/1/totals": totals})) is None
    changed = edited(CUT_SHORT, {"/rounds/1/totals": [totals[0] + 1, *totals[1:]]})
    assert error_of(changed) == ("wrong_totals", "/rounds/1/totals/0")


def test_the_seats_out_are_checked_in_a_round_cut_short() -> None:
    assert error_of(edited(CUT_SHORT, {"/rounds/1/out": []})) == ("wrong_out", "/rounds/1/out")


def test_a_round_cut_short_may_have_no_actions() -> None:
    assert error_of(edited(CUT_SHORT, {"/rounds/1/actions": [], "/rounds/1/out": []})) is None
