"""How the person is asked: a game whose lines are typed here, from states made for it."""

from collections.abc import Iterator

import pytest

from engine.ai.arena import starts, without_bets
from engine.ai.levels import level
from engine.rounds.actions import Pass
from engine.rounds.apply import apply
from engine.rounds.state import RoundState
from engine.rulesets.catalogue import rule_set
from examples.terminal.game import PERSON, Game, Left
from examples.terminal.paint import Paint
from tests.engine.ai.tables import holding, seeded

SINGLES = "2o 4o 6y 8g Tr J Q K"


class Terminal:
    """What is typed line by line, and what is said."""

    def __init__(self, *lines: str) -> None:
        self.lines: Iterator[str] = iter(lines)
        self.said: list[str] = []

    def ask(self, prompt: str) -> str:
        self.said.append(prompt)
        try:
            return next(self.lines)
        except StopIteration:
            raise EOFError from None

    @property
    def text(self) -> str:
        return "\n".join(self.said)


def acted(state: RoundState, *lines: str) -> tuple[RoundState, Terminal]:
    """The round after the person has typed these lines, and the terminal."""
    terminal = Terminal(*lines)
    game = Game(
        names=("You", "Morag", "Angus")[: state.rules.players],
        chooser=level("easy"),
        rng=seeded(1),
        paint=Paint(),
        ask=terminal.ask,
        say=terminal.said.append,
    )
    return game.person_acts(state), terminal


def leading(hand: str, *, players: int = 2) -> RoundState:
    """A round that the person leads with this hand."""
    begun = starts(rule_set("classic").at_table(players=players), players, seeded(1))
    state = next(state for state in begun if state.to_act == PERSON)
    return without_bets(holding(state, hand, *[SINGLES] * (players - 1)))


def test_cards_that_can_be_one_thing_are_played_at_once() -> None:
    state, terminal = acted(leading(f"9r 9g {SINGLES}"), "9r 9g")
    assert "You play  9r 9g  (pair of nines)" in terminal.text
    assert state.to_act == 1


def test_cards_of_several_shapes_are_asked_about_and_played_as_the_one_picked() -> None:
    _, terminal = acted(leading(f"3r {SINGLES}"), "3r J Q", "2")
    assert "That can be several things:" in terminal.text
    assert "  1  three threes; J as 3; Q as 3" in terminal.text
    assert "You play  3r J Q  (run of three, two to four; J as 2r; Q as 4r)" in terminal.text


@pytest.mark.parametrize("picked", ("0", "4", "two", "", "-1", "²", "99999"))
def test_what_is_none_of_the_readings_plays_nothing(picked: str) -> None:
    state, terminal = acted(leading(f"3r {SINGLES}"), "3r J Q", picked, "3r")
    assert "You play  3r  (single three)" in terminal.text
    assert len(state.trick) == 1


def test_the_player_may_leave_while_a_reading_is_asked_for() -> None:
    with pytest.raises(Left):
        acted(leading(f"3r {SINGLES}"), "3r J Q", "quit")


def test_a_leader_who_passes_is_told_the_rule_and_asked_again() -> None:
    _, terminal = acted(leading(SINGLES), "pass", "2o")
    assert "The leader of a trick must play. (lead.must_play)" in terminal.text
    assert "You play  2o  (single two)" in terminal.text


def test_who_captures_a_bombed_trick_is_picked_by_number() -> None:
    state, _ = acted(leading(f"3r {SINGLES}", players=3), "J Q")
    for seat in (1, 2):
        state = apply(state, seat, Pass()).state
    state, terminal = acted(state, "5", "2")
    assert "That is none of these." in terminal.text
    assert "You give the trick to Angus." in terminal.text
    assert "You win the trick with a bomb; Angus captures it." in terminal.text
    assert state.position.captured[2]


def test_few_of_many_plays_are_hinted_unless_all_are_wanted() -> None:
    hand = "2r 3r 4r 5r 6r 7r 8r 2g 3g 4g 5g 6g J Q K"
    _, few = acted(leading(hand), "?", "2r")
    _, every = acted(leading(hand), "hint all", "2r")
    assert "more: hint all" in few.text
    assert len(few.text) < len(every.text)
    assert "more: hint all" not in every.text


def test_the_player_sees_the_table_again_and_the_help_when_asked() -> None:
    _, terminal = acted(leading(SINGLES), "table", "help", "2o")
    assert terminal.text.count("You    ") == 2
    assert "bet 15" in terminal.text
