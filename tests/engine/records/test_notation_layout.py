"""Actions are split into lines where tricks end, as far as plays and passes show."""

from engine.cards.card import SUIT_CARDS
from engine.records.notation_layout import split_into_tricks
from engine.records.record import RecordedAction
from engine.rounds.actions import Action, Award, Bet, Pass, Play


def played(script: str, players: int) -> list[str]:
    """Return the lines of actions: `0` plays a card, `0*` the whole hand, `0p` passes ..."""
    actions: dict[str, Action] = {
        "": Play(SUIT_CARDS[:1]),
        "*": Play(SUIT_CARDS[:17]),
        "p": Pass(),
        "b": Bet(15),
        "a": Award(0),
    }
    named = {id(action): name for name, action in actions.items()}
    recorded = [RecordedAction(int(word[0]), actions[word[1:]]) for word in script.split()]
    return [
        " ".join(f"{each.seat}{named[id(each.action)]}" for each in trick)
        for trick in split_into_tricks(recorded, players)
    ]


def test_a_round_without_actions_has_no_lines() -> None:
    assert played("", 2) == []


def test_with_two_players_a_trick_ends_with_a_pass() -> None:
    assert played("0 1 0p 1 0p", 2) == ["0 1 0p", "1 0p"]


def test_with_three_players_a_trick_ends_when_both_others_have_passed() -> None:
    assert played("0 1p 2 0p 1p 2 0p 1p", 3) == ["0 1p 2 0p 1p", "2 0p 1p"]


def test_a_player_who_is_out_counts_as_passing() -> None:
    assert played("0* 1p 2p 1 2p 1", 3) == ["0* 1p 2p", "1 2p", "1"]


def test_awards_and_bets_belong_to_the_trick_before_them() -> None:
    assert played("0b 0 1p 2p 1b 0a 0", 3) == ["0b 0 1p 2p 1b 0a", "0"]


def test_illegal_rounds_are_split_too() -> None:
    assert played("0p 0p 1a 0* 0* 0", 2) == ["0p 0p 1a 0* 0* 0"]
