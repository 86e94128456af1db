import pytest

from engine.cards.hand import parse_cards
from engine.errors import Malformed
from engine.rounds.actions import Bet, Pass, Play
from examples.terminal.commands import Command, read


@pytest.mark.parametrize("line", ("7r Tg J", "7R TG j", " 7r,10g  J ", "play 7r tg j"))
def test_cards_are_read_in_any_notation(line: str) -> None:
    assert read(line) == Play(parse_cards("7r Tg J"))


def test_q_is_a_queen_and_does_not_quit() -> None:
    assert read("q") == Play(parse_cards("Q"))
    assert read("quit") is Command.QUIT


@pytest.mark.parametrize("line", ("pass", "PASS", "p"))
def test_pass_is_read(line: str) -> None:
    assert read(line) == Pass()


def test_bet_is_read_with_its_amount() -> None:
    assert read("bet 15") == Bet(15)
    assert read("bet 0") == Bet(0)


@pytest.mark.parametrize(
    ("line", "command"),
    (
        ("hint", Command.HINT),
        ("?", Command.HINT),
        ("hint all", Command.ALL_HINTS),
        ("help", Command.HELP),
        ("t", Command.TABLE),
        ("Exit", Command.QUIT),
    ),
)
def test_command_is_read(line: str, command: Command) -> None:
    assert read(line) is command


@pytest.mark.parametrize(
    "line", ("", "  ", "7x", "hello", "bet", "bet many", "bet -5", "bet ²", "bet 99999", "11r")
)
def test_unreadable_line_is_malformed(line: str) -> None:
    with pytest.raises(Malformed):
        read(line)
