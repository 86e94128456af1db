"""A round of Haggis in the terminal against AI seats: `make terminal`.

The engine does no I/O and draws no random numbers: this program does. The deal follows from random bytes that
are drawn before the first card is shown. The program prints their anchor first and their link at the end, so
that the player can verify the deal (docs/fairness.md).
"""

import argparse
import hashlib
import os
import secrets
import sys
from pathlib import Path
from random import Random, SystemRandom

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from engine.ai.levels import LEVELS
from engine.deals.chain import Chain, make_chain
from engine.deals.deal import deal
from engine.deals.first_seat import first_seat
from engine.errors import Malformed
from engine.matches.first_lead import first_dealer_and_leader
from engine.matches.state import deal_round
from engine.rounds.state import RoundState
from engine.rulesets.catalogue import RULE_SETS, rule_set
from engine.rulesets.model import TableRules
from engine.views.referee_view import view_finished_round
from examples.terminal.events import YOU, conjugate
from examples.terminal.game import PERSON, Game, PlayerLeft
from examples.terminal.paint import SHAPES, Paint
from examples.terminal.summary import summary

DEAL_ID = "terminal"
NAMES = (YOU, "Morag", "Angus")


def main(arguments: list[str] | None = None) -> int:
    """Play one round. Quitting early is a success, too."""
    options = read_arguments(arguments)
    chain = make_chain(DEAL_ID, last_link(options.seed))
    game = new_game(options.level, options.players, options.seed)
    first_state = deal_first_round(options.rules, chain)
    game.say(greeting(first_state, chain, game.names, options.level))
    try:
        finished = game.play(first_state)
        game.say("\nThe round is over.\n")
        game.say(summary(view_finished_round(finished), game.names, game.paint))
    except (PlayerLeft, EOFError, KeyboardInterrupt):
        game.say("\nYou leave the table. Until next time!")
    game.say(proof(chain))
    return 0


def read_arguments(arguments: list[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="A round of Haggis at the terminal, against AI seats.")
    parser.add_argument("--level", choices=LEVELS, default="easy", help="how well the others play")
    parser.add_argument("--players", type=int, choices=(2, 3), default=2)
    parser.add_argument("--ruleset", choices=[rules.key for rules in RULE_SETS], default="classic")
    parser.add_argument("--seed", type=int, help="deal the same cards every time (and so no secret ones)")
    options = parser.parse_args(arguments)
    try:
        options.rules = rule_set(options.ruleset).at_table(players=options.players)
    except Malformed as refused:
        parser.error(refused.detail)
    return options


def last_link(seed: int | None) -> bytes:
    """Return the 32 bytes from which the deal follows: random ones, or those of a seed."""
    return secrets.token_bytes(32) if seed is None else hashlib.sha256(str(seed).encode()).digest()


def new_game(level: str, players: int, seed: int | None) -> Game:
    """Return a game with these players that uses this terminal."""
    return Game(
        names=NAMES[:players],
        chooser=LEVELS[level],
        rng=SystemRandom() if seed is None else Random(seed),  # noqa: S311 -- a seed makes the round repeatable
        paint=paint_for_this_terminal(),
        ask=ask,
        say=print,
    )


def deal_first_round(rules: TableRules, chain: Chain) -> RoundState:
    """Deal the first round from the chain, with empty client seeds."""
    seeds = ("",) * rules.players
    drawn = first_seat(deal_id=DEAL_ID, link=chain.link(1), players=rules.players, seeds=seeds)
    dealer, leader = first_dealer_and_leader(rules, drawn)
    return deal_round(
        rules,
        number=1,
        dealer=dealer,
        leader=leader,
        dealing=lambda number: deal(
            deal_id=DEAL_ID, number=number, link=chain.link(number), players=rules.players, seeds=seeds
        ),
    )


def greeting(first_state: RoundState, chain: Chain, names: tuple[str, ...], level: str) -> str:
    """Return the text before the first card is shown."""
    opponents = " and ".join(name for seat, name in enumerate(names) if seat != PERSON)
    leads = f"{conjugate(names[first_state.leader], 'lead')}."
    if first_state.dealer is not None:
        leads = f"{conjugate(names[first_state.dealer], 'deal')}, {leads}"
    return (
        f"Haggis, {rule_set(first_state.rules.key).title}, against {opponents} ({level}). "
        f"Type help at any time.\n"
        f"The deal is fixed by the anchor {chain.anchor.hex()}.\n"
        f"{leads}"
    )


def proof(chain: Chain) -> str:
    """Return what the player needs to verify the deal."""
    return (
        f"\nThe deal followed from link 1: {chain.link(1).hex()}\n"
        f"Check it as docs/fairness.md says: deal id {DEAL_ID}, round 1, no client seeds."
    )


def paint_for_this_terminal() -> Paint:
    """Detect colours and suit symbols."""
    colours = sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    try:
        "".join(SHAPES.values()).encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return Paint(colours=colours)
    return Paint(colours=colours, shapes=True)


def ask(prompt: str) -> str:
    """Read a line; echo input that comes through a pipe."""
    line = input(prompt)
    if not sys.stdin.isatty():
        sys.stdout.write(f"{line}\n")
    return line


if __name__ == "__main__":
    sys.exit(main())
