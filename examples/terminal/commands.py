"""Parsing of what a player types.

>>> read("7r 10g j").cards, read("bet 15")
((Card('7r'), Card('Tg'), Card('J')), Bet(amount=15))
"""

from enum import Enum

from engine.cards.card import Card
from engine.errors import Malformed
from engine.rounds.actions import Action, Bet, Pass, Play


class Command(Enum):
    """A command other than an action of the game."""

    HINT = "hint"
    ALL_HINTS = "hint all"
    HELP = "help"
    TABLE = "table"
    QUIT = "quit"


HELP = """\
  7r 7g J    play these cards (several meanings? you are asked which)
  pass       let the current play stand            (also: p)
  bet 15     bet, before your own first play       (bet 0: declare none)
  hint       what you may play, fewest wild cards first   (also: ?; hint all: every one)
  table      show the table again                  (also: t)
  quit       leave
Suit cards are a rank, 2 to 9 or T, and the letter of their suit. J, Q and K are wild beside a suit card."""

MAX_DIGITS = 4

# No "q" for quit: that is the queen.
_COMMANDS = {command.value: command for command in Command} | {
    "?": Command.HINT,
    "? all": Command.ALL_HINTS,
    "h": Command.HELP,
    "t": Command.TABLE,
    "exit": Command.QUIT,
}


def read(line: str) -> Action | Command:
    """Parse a line; raise `Malformed` if it is neither an action nor a command."""
    words = line.lower().replace(",", " ").split()
    match words:
        case []:
            raise Malformed("nothing_typed", "Type the cards to play, or what else you want.")
        case ["pass"] | ["p"]:
            return Pass()
        case ["bet", amount]:
            return Bet(number(amount))
        case [*_] if " ".join(words) in _COMMANDS:
            return _COMMANDS[" ".join(words)]
        case ["play", *cards] | cards:
            return Play(tuple(card(code) for code in cards))


def card(code: str) -> Card:
    """Parse a card in upper or lower case, with 10 or T."""
    code = code.replace("10", "t")
    return Card.parse(code[:1].upper() + code[1:])


def number(text: str) -> int:
    """Parse a whole number, not negative."""
    if not (text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS):
        raise Malformed("not_a_number", f"{text!r} is not a number that fits here.")
    return int(text)
