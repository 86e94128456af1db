import pytest

from engine.cards.hand import parse_cards
from engine.errors import Malformed
from engine.rounds.actions import Bet, Pass, Play
from examples.terminal.commands import Wish, read


@pytest.mark.parametrize("line", ("7r Tg J", "7R TG j", " 7r,10g  J ", "play 7r tg j"))
def test_cards_are_read_however_they_are_written(line: str) -> None:
    assert read(line) == Play(parse_cards("7r Tg J"))


def test_a_queen_is_a_card_and_not_a_farewell() -> None:
    assert read("q") == Play(parse_cards("Q"))
    assert read("quit") is Wish.QUIT


@pytest.mark.parametrize("line", ("pass", "PASS", "p"))
def test_a_pass_is_read(line: str) -> None:
    assert read(line) == Pass()


def test_a_bet_is_read_with_its_amount() -> None:
    assert read("bet 15") == Bet(15)
    assert read("bet 0") == Bet(0)


@pytest.mark.parametrize(
    ("line", "wish"),
    (
        ("hint", Wish.HINT),
        ("?", Wish.HINT),
        ("hint all", Wish.ALL_HINTS),
        ("help", Wish.HELP),
        ("t", Wish.TABLE),
        ("Exit", Wish.QUIT),
    ),
)
def test_a_wish_is_read(line: str, wish: Wish) -> None:
    assert read(line) is wish


@pytest.mark.parametrize(
    "line", ("", "  ", "7x", "hello", "bet", "bet many", "bet -5", "bet ²", "bet 99999", "11r")
)
def test_what_cannot_be_read_is_malformed(line: str) -> None:
    with pytest.raises(Malformed):
        read(line)
