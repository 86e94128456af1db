"""Actions as the notation writes them."""

import pytest

from engine.errors import Malformed
from engine.records.notation_actions import add_notes, read_actions


def test_actions_on_a_line_are_separated_by_semicolons() -> None:
    assert read_actions("A 7r 7g; B passes; C bets 15; A awards B", 3) == [
        {
            "seat": 0,
            "type": "play",
            "cards": ["7r", "7g"],
            "as": {"kind": "set", "top": 7, "width": 2, "length": 1},
        },
        {"seat": 1, "type": "pass"},
        {"seat": 2, "type": "bet", "amount": 15},
        {"seat": 0, "type": "award", "to": 1},
    ]


def test_a_play_may_be_named_or_marked_as_unnamed() -> None:
    (named,) = read_actions("A 3r J Q =run 3-5", 2)
    assert named["as"] == {"kind": "run", "top": 5, "width": 1, "length": 3}
    assert read_actions("A 3r J Q =?", 2) == [{"seat": 0, "type": "play", "cards": ["3r", "J", "Q"]}]


@pytest.mark.parametrize(
    ("line", "code"),
    (
        ("A", "unreadable_line"),
        ("", "unreadable_line"),
        ("A 7r;", "unreadable_line"),
        ("D passes", "unreadable_line"),
        ("A bets", "unknown_card"),
        ("A bets much", "unreadable_line"),
        ("A awards D", "unreadable_line"),
        ("A 7r 7r", "card_twice"),
        ("A 7x", "unknown_card"),
        ("A 7r 8g", "unreadable_line"),
    ),
)
def test_an_invalid_action_is_malformed(line: str, code: str) -> None:
    with pytest.raises(Malformed) as refusal:
        read_actions(line, 2)
    assert refusal.value.code == code


def test_notes_contain_who_acted_and_when() -> None:
    actions = read_actions("A passes; B passes; A passes", 2)
    add_notes("player 2026-01-02T03:04:05Z; ai -; - -", actions)
    assert [(action.get("by"), action.get("at")) for action in actions] == [
        ("player", "2026-01-02T03:04:05Z"),
        ("ai", None),
        (None, None),
    ]


@pytest.mark.parametrize("notes", ("", "- -", "- -; -", "- -; - -; - -"))
def test_the_number_of_notes_must_match_the_actions(notes: str) -> None:
    with pytest.raises(Malformed) as refusal:
        add_notes(notes, read_actions("A passes; B passes", 2))
    assert refusal.value.code == "unreadable_line"
