"""The round in the terminal end to end, with input through a pipe."""

import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from subprocess import PIPE

import pytest

from engine.ai.easy import choose
from engine.ai.interface import DEFAULT_BUDGET
from engine.cards.hand import cards_of
from engine.deals.chain import leads_to_anchor, make_chain
from engine.rounds.actions import Action, Award, Bet, Pass, Play
from engine.rounds.apply import apply
from engine.rounds.ending import score_round
from engine.rounds.state import RoundState
from engine.rulesets.catalogue import RULE_SETS, rule_set
from engine.views.round_view import RoundView, view_round
from examples import terminal_round
from examples.terminal.game import PERSON
from tests.engine.randomness import seeded

UTF_8 = {"PYTHONIOENCODING": "utf-8"}
PROGRAM = Path(terminal_round.__file__)
GAMES = [(rules.key, players) for rules in RULE_SETS for players in rules.players]


def run(typed: str, *options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", str(PROGRAM), *map(str, options)]
    return subprocess.run(
        command,
        input=typed,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=60,
        env=UTF_8,
    )


def output_of(typed: str, *options: object) -> str:
    completed = run(typed, *options)
    assert (completed.returncode, completed.stderr) == (0, "")
    return completed.stdout


def play_and_record_input(ruleset: str, players: int, seed: int) -> tuple[RoundState, str]:
    """Play a round with the choices of `easy`; return it with what the person on seat 0 types."""
    chain = make_chain(terminal_round.DEAL_ID, terminal_round.last_link(seed))
    state = terminal_round.deal_first_round(rule_set(ruleset).at_table(players=players), chain)
    lines: list[str] = []
    while (seat := state.to_act) is not None:
        view = view_round(state, seat)
        action = choose(view, seeded(1), DEFAULT_BUDGET)
        if seat == PERSON:
            action = Play(action.cards) if isinstance(action, Play) else action
            lines.append(typed_line(view, action))
        state = apply(state, seat, action).state
    return state, "\n".join(lines)


def typed_line(view: RoundView, action: Action) -> str:
    match action:
        case Play():
            return " ".join(map(str, action.cards))
        case Pass():
            return "pass"
        case Bet():
            return f"bet {action.amount}"
        case Award():
            return str(1 + view.awards.index(action.to))


@pytest.mark.parametrize(("ruleset", "players"), GAMES)
def test_whole_round_is_played_and_scored(ruleset: str, players: int) -> None:
    finished, typed = play_and_record_input(ruleset, players, seed=1)
    shown = output_of(typed, "--seed", 1, "--ruleset", ruleset, "--players", players)
    totals = re.search(r"^  total +(.*)$", shown, re.MULTILINE)
    assert totals
    assert [int(each) for each in totals[1].split()] == [line.total for line in score_round(finished)]
    assert "The deal:" in shown
    assert "haggis" in shown


@pytest.mark.parametrize("seed", (1, 2, 13))
def test_round_in_which_the_player_awards_a_bombed_trick(seed: int) -> None:
    _, typed = play_and_record_input("classic", 3, seed)
    shown = output_of(typed, "--seed", seed, "--players", 3)
    assert "Your bomb won the trick. Who captures it?" in shown
    assert "You give the trick to" in shown
    assert "The round is over." in shown


def test_printed_link_leads_to_the_printed_anchor() -> None:
    shown = output_of("quit\n")
    anchor = re.search(r"anchor ([0-9a-f]{64})", shown)
    link = re.search(r"link 1: ([0-9a-f]{64})", shown)
    assert anchor
    assert link
    assert leads_to_anchor(
        deal_id=terminal_round.DEAL_ID, number=1, link=bytes.fromhex(link[1]), anchor=bytes.fromhex(anchor[1])
    )
    assert shown.index("anchor") < shown.index("captured") < shown.index("link 1")


def test_rounds_without_a_seed_differ() -> None:
    assert output_of("quit\n") != output_of("quit\n")


def test_cards_of_opponents_are_hidden_until_the_end() -> None:
    finished, _ = play_and_record_input("classic", 2, seed=5)
    shown = output_of("hint all\ntable\n", "--seed", 5)
    named = set(re.findall(r"(?<!as )\b[2-9T][royg]\b", shown))
    assert named == {str(card) for card in cards_of(finished.dealt[PERSON]) if not card.is_face}


@pytest.mark.parametrize("typed", ("", "hint\n", "quit\n", "Quit\n", "exit\n"))
def test_quitting_prints_a_farewell(typed: str) -> None:
    shown = output_of(typed, "--seed", 1)
    assert "You leave the table." in shown
    assert "Traceback" not in shown


def test_interrupt_prints_a_farewell() -> None:
    command = [sys.executable, "-u", str(PROGRAM), "--seed", "1"]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, encoding="utf-8", env=UTF_8) as game:
        assert game.stdout
        assert game.stderr
        while "To beat" not in game.stdout.readline():
            pass
        assert game.stdout.read(2) == "> "
        time.sleep(0.3)  # a signal between the prompt and the read is only handled after the next line
        game.send_signal(signal.SIGINT)
        assert "You leave the table." in game.stdout.read()
        assert (game.wait(), game.stderr.read()) == (0, "")


def test_illegal_action_is_explained_with_its_rule() -> None:
    shown = output_of("3r K\n2r 2r\n4x\n\nbet 7\nbet many\n", "--seed", 1)
    assert "This does not beat the current play.\n  A combination is beaten by" in shown
    assert "(beat.same_size)" in shown
    assert "The card 2r is named twice." in shown
    assert "There is no card '4x'." in shown
    assert "Type the cards to play" in shown
    assert "(bet.amounts)" in shown
    assert "'many' is not a number" in shown


def test_output_through_a_pipe_has_no_colours() -> None:
    assert "\033" not in output_of("hint\n", "--seed", 1)


def test_unknown_rule_set_is_rejected() -> None:
    completed = run("", "--ruleset", "haggish", "--players", 3)
    assert completed.returncode == 2
    assert "Haggish is only for these numbers of players: 2." in completed.stderr
    assert "Traceback" not in completed.stderr
