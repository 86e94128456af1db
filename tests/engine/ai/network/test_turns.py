import pytest

from engine.ai.network.arrays import np
from engine.ai.network.turns import TURNS_WIDTH, turns
from engine.cards.hand import mask_of, parse_cards


def leads_for(cards: str) -> list[float]:
    """Return the leads by sets alone, after the best run, and after the two best runs."""
    hands = np.array([mask_of(parse_cards(cards))], dtype=np.int64)
    found = np.zeros((1, TURNS_WIDTH), dtype=np.float32)
    turns(hands, 4, found)
    return [float(each) * 4 for each in found[0, :3]]


@pytest.mark.parametrize(
    ("cards", "leads"),
    (
        ("7r", [1, 1, 1]),
        ("7r 7g 7y", [1, 1, 1]),
        ("2r 3r 4r", [3, 1, 1]),
        ("2r 3r 4r 4g 9y", [4, 3, 3]),
        ("2r 3r 4r 6g 7g 8g", [6, 4, 2]),
        ("2r 3r 4r 2g 3g 4g", [3, 3, 2]),  # three as sets, two as runs
        ("2r 4r 6r J", [3, 3, 3]),  # wild cards are ignored
    ),
)
def test_leads_are_counted_by_ranks_and_by_runs_that_save_some(cards: str, leads: list[float]) -> None:
    assert leads_for(cards) == leads


@pytest.mark.parametrize(
    ("cards", "out"),
    (
        ("7r 7g J", True),
        ("5r 7r J", True),
        ("5r 8r J", False),
        ("5r 7g J", False),
        ("J Q K", True),
        ("5r 6r 7r", True),
    ),
)
def test_one_lead_that_sheds_the_whole_hand_is_detected(cards: str, out: bool) -> None:  # noqa: FBT001 -- a case of the table
    found = np.zeros((1, TURNS_WIDTH), dtype=np.float32)
    turns(np.array([mask_of(parse_cards(cards))], dtype=np.int64), 4, found)
    assert bool(found[0, 4]) is out
