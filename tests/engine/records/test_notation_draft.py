"""A record while its text is read: each field is set once, and its line is known."""

import pytest

from engine.errors import Malformed
from engine.records.notation_draft import Draft


def test_a_repeated_field_is_malformed() -> None:
    draft = Draft()
    draft.put("match", "m_1")
    with pytest.raises(Malformed) as refusal:
        draft.put("match", "m_2")
    assert refusal.value.code == "repeated_line"
    draft.set_member("options", ("bet_split", "full"))
    with pytest.raises(Malformed) as refusal:
        draft.set_member("options", ("bet_split", "thirds"))
    assert refusal.value.code == "repeated_line"


def test_items_of_seats_must_be_in_seat_order() -> None:
    draft = Draft()
    draft.append_for_seat("seats", (0, "heather"))
    for seat in (0, 2):
        with pytest.raises(Malformed):
            draft.append_for_seat("seats", (seat, "duff"))
    draft.append_for_seat("seats", (1, "duff"))
    assert draft.record["seats"] == ["heather", "duff"]


def test_rounds_are_filled_in_order() -> None:
    draft = Draft()
    for number in (1, 2):
        draft.open_round({"number": number})
        assert draft.in_round
        draft.put("link", str(number))
    draft.close_round()
    assert not draft.in_round
    draft.put("result", {})
    assert [each["link"] for each in draft.record["rounds"]] == ["1", "2"]


def test_the_line_of_a_part_is_that_of_its_closest_recorded_container() -> None:
    draft = Draft()
    draft.line = 3
    draft.put("match", "m_1")
    draft.line = 5
    draft.open_round({"number": 1})
    draft.line = 7
    draft.append("actions", {})
    assert draft.line_of("/match") == 3
    assert draft.line_of("/rounds/0/actions/0/cards/1") == 7
    assert draft.line_of("/rounds/0/haggis") == 5
    assert draft.line_of("/players") == 1
