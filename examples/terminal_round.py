"""A round of Haggis at the terminal, against AI seats: `python examples/terminal_round.py`, or `make run`.

The engine draws no random numbers, reads nothing and writes nothing: all that is done here. The deal follows
from bytes that are drawn before the first card is shown. Their anchor is printed first and their link at the
end, so that the player can check that nothing was changed on the way (docs/fairness.md).
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
from examples.terminal.ending import ending
from examples.terminal.game import PERSON, Game, Left
from examples.terminal.news import YOU, says
from examples.terminal.paint import SHAPES, Paint

DEAL_ID = "terminal"
NAMES = (YOU, "Morag", "Angus")


def main(arguments: list[str] | None = None) -> int:
    """Play one round; the exit status is 0 also for who leaves early."""
    asked = read_arguments(arguments)
    chain = make_chain(DEAL_ID, last_link(asked.seed))
    game = new_game(asked.level, asked.players, asked.seed)
    begun = begin(asked.rules, chain)
    game.say(greeting(begun, chain, game.names, asked.level))
    try:
        finished = game.play(begun)
        game.say("\nThe round is over.\n")
        game.say(ending(view_finished_round(finished), game.names, game.paint))
    except (Left, EOFError, KeyboardInterrupt):
        game.say("\nYou leave the table. Until next time!")
    game.say(proof(chain))
    return 0


def read_arguments(arguments: list[str] | None) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description="A round of Haggis at the terminal, against AI seats.")
    parser.add_argument("--level", choices=LEVELS, default="easy", help="how well the others play")
    parser.add_argument("--players", type=int, choices=(2, 3), default=2)
    parser.add_argument("--ruleset", choices=[rules.key for rules in RULE_SETS], default="classic")
    parser.add_argument("--seed", type=int, help="deal the same cards every time (and so no secret ones)")
    asked = parser.parse_args(arguments)
    try:
        asked.rules = rule_set(asked.ruleset).at_table(players=asked.players)
    except Malformed as refused:
        parser.error(refused.detail)
    return asked


def last_link(seed: int | None) -> bytes:
    """The 32 bytes from which the deal follows: fresh ones from the system, or those of a seed."""
    return secrets.token_bytes(32) if seed is None else hashlib.sha256(str(seed).encode()).digest()


def new_game(level: str, players: int, seed: int | None) -> Game:
    """The players, and how they talk through this terminal."""
    return Game(
        names=NAMES[:players],
        chooser=LEVELS[level],
        rng=SystemRandom() if seed is None else Random(seed),  # noqa: S311 (a seed is given to have it again)
        paint=paint_for_this_terminal(),
        ask=ask,
        say=print,
    )


def begin(rules: TableRules, chain: Chain) -> RoundState:
    """The round as the chain deals it, nobody having given a seed."""
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


def greeting(begun: RoundState, chain: Chain, names: tuple[str, ...], level: str) -> str:
    """What is said before the first card is shown."""
    others = " and ".join(name for seat, name in enumerate(names) if seat != PERSON)
    leads = f"{says(names[begun.leader], 'lead')}."
    if begun.dealer is not None:
        leads = f"{says(names[begun.dealer], 'deal')}, {leads}"
    return (
        f"Haggis, {rule_set(begun.rules.key).title}, against {others} ({level}). Type help at any time.\n"
        f"The deal is fixed by the anchor {chain.anchor.hex()}.\n"
        f"{leads}"
    )


def proof(chain: Chain) -> str:
    """What the player needs to check the deal."""
    return (
        f"\nThe deal followed from link 1: {chain.link(1).hex()}\n"
        f"Check it as docs/fairness.md says: deal id {DEAL_ID}, round 1, no client seeds."
    )


def paint_for_this_terminal() -> Paint:
    """Colours on a terminal that wants them; shapes where they can be written."""
    colours = sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    try:
        "".join(SHAPES.values()).encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return Paint(colours=colours)
    return Paint(colours=colours, shapes=True)


def ask(prompt: str) -> str:
    """A line from the player; what comes through a pipe is shown, as a terminal would show it."""
    line = input(prompt)
    if not sys.stdin.isatty():
        sys.stdout.write(f"{line}\n")
    return line


if __name__ == "__main__":
    sys.exit(main())
