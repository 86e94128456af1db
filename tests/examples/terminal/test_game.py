"""Prompts of the game, with scripted input and prepared states."""

from collections.abc import Iterator

import pytest

from engine.ai.arena import starts, without_bets
from engine.ai.levels import level
from engine.rounds.actions import Pass
from engine.rounds.apply import apply
from engine.rounds.state import RoundState
from engine.rulesets.catalogue import rule_set
from examples.terminal.game import PERSON, Game, PlayerLeft
from examples.terminal.paint import Paint
from tests.engine.ai.tables import holding
from tests.engine.randomness import seeded

SINGLES = "2o 4o 6y 8g Tr J Q K"


class Terminal:
    """Scripted input and recorded output."""

    def __init__(self, *lines: str) -> None:
        self.lines: Iterator[str] = iter(lines)
        self.output: list[str] = []

    def ask(self, prompt: str) -> str:
        self.output.append(prompt)
        try:
            return next(self.lines)
        except StopIteration:
            raise EOFError from None

    @property
    def text(self) -> str:
        return "\n".join(self.output)


def act(state: RoundState, *lines: str) -> tuple[RoundState, Terminal]:
    """Let the person type these lines; return the new state and the terminal."""
    terminal = Terminal(*lines)
    game = Game(
        names=("You", "Morag", "Angus")[: state.rules.players],
        chooser=level("easy"),
        rng=seeded(1),
        paint=Paint(),
        ask=terminal.ask,
        say=terminal.output.append,
    )
    return game.person_acts(state), terminal


def state_with_lead(hand: str, *, players: int = 2) -> RoundState:
    """Return a state in which the person leads with this hand."""
    states = starts(rule_set("classic").at_table(players=players), players, seeded(1))
    state = next(state for state in states if state.to_act == PERSON)
    return without_bets(holding(state, hand, *[SINGLES] * (players - 1)))


def test_unambiguous_cards_are_played_at_once() -> None:
    state, terminal = act(state_with_lead(f"9r 9g {SINGLES}"), "9r 9g")
    assert "You play  9r 9g  (pair of nines)" in terminal.text
    assert state.to_act == 1


def test_ambiguous_cards_are_played_as_the_chosen_combination() -> None:
    _, terminal = act(state_with_lead(f"3r {SINGLES}"), "3r J Q", "2")
    assert "That can be several things:" in terminal.text
    assert "  1  three threes; J as 3; Q as 3" in terminal.text
    assert "You play  3r J Q  (run of three, two to four; J as 2r; Q as 4r)" in terminal.text


@pytest.mark.parametrize("picked", ("0", "4", "two", "", "-1", "²", "99999"))
def test_invalid_choice_plays_nothing(picked: str) -> None:
    state, terminal = act(state_with_lead(f"3r {SINGLES}"), "3r J Q", picked, "3r")
    assert "You play  3r  (single three)" in terminal.text
    assert len(state.trick) == 1


def test_player_may_quit_while_choosing_a_combination() -> None:
    with pytest.raises(PlayerLeft):
        act(state_with_lead(f"3r {SINGLES}"), "3r J Q", "quit")


def test_illegal_pass_shows_the_rule_and_asks_again() -> None:
    _, terminal = act(state_with_lead(SINGLES), "pass", "2o")
    assert "The leader of a trick must play. (lead.must_play)" in terminal.text
    assert "You play  2o  (single two)" in terminal.text


def test_capturer_of_a_bombed_trick_is_chosen_by_number() -> None:
    state, _ = act(state_with_lead(f"3r {SINGLES}", players=3), "J Q")
    for seat in (1, 2):
        state = apply(state, seat, Pass()).state
    state, terminal = act(state, "5", "2")
    assert "That is none of these." in terminal.text
    assert "You give the trick to Angus." in terminal.text
    assert "You win the trick with a bomb; Angus captures it." in terminal.text
    assert state.position.captured[2]


def test_hint_shows_some_plays_and_hint_all_every_play() -> None:
    hand = "2r 3r 4r 5r 6r 7r 8r 2g 3g 4g 5g 6g J Q K"
    _, few = act(state_with_lead(hand), "?", "2r")
    _, every = act(state_with_lead(hand), "hint all", "2r")
    assert "more: hint all" in few.text
    assert len(few.text) < len(every.text)
    assert "more: hint all" not in every.text


def test_table_and_help_commands_print_the_table_and_the_help() -> None:
    _, terminal = act(state_with_lead(SINGLES), "table", "help", "2o")
    assert terminal.text.count("You    ") == 2
    assert "bet 15" in terminal.text
