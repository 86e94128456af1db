from dataclasses import replace

import pytest
from hypothesis import given

from engine.cards.card import FACE_CARDS, SUIT_CARDS
from engine.rulesets.model import TableRules
from engine.rulesets.terms import CardPoints, FinalHand, Haggis
from engine.scoring.captured_cards import captured_cards, points_of
from engine.scoring.finished import FinishedRound
from tests.engine.scoring.finished_rounds import PLAIN, PLAIN_OF_TWO, any_finished, pile, table, whole_deck

LAST_HAND = pile("2r 3r 4r K", seat=2)
HAGGIS = pile("5b 7b 8b")


def captured(rules: TableRules, finished: FinishedRound) -> list[int]:
    return [captured_cards(rules, finished, seat) for seat in range(finished.players)]


@pytest.mark.clause("common.scoring.point-cards")
def test_each_point_card_scores_its_value_and_other_cards_nothing() -> None:
    points = {
        str(card): points_of(CardPoints.POINT_CARDS, pile(str(card))) for card in SUIT_CARDS + FACE_CARDS
    }
    odd = {f"{rank}{suit}": 1 for rank in "3579" for suit in "roygb"}
    assert {code: worth for code, worth in points.items() if worth} == odd | {"J": 2, "Q": 3, "K": 5}


@pytest.mark.clause("common.scoring.point-cards")
@pytest.mark.parametrize("seat", range(3))
def test_face_cards_score_for_any_captor(seat: int) -> None:
    assert points_of(CardPoints.POINT_CARDS, pile("J Q K", seat=seat)) == 10
    assert points_of(CardPoints.ONE_PER_CARD, pile("J Q K", seat=seat)) == 3


@pytest.mark.clause("deluxe.scoring.one-a-card")
def test_deluxe_counts_every_captured_card_once() -> None:
    finished = replace(PLAIN, captured=(pile("2r 4r"), pile("J", seat=0) | pile("J", seat=2), 0))
    assert captured(table("deluxe"), finished) == [2, 2, 0]


@pytest.mark.clause("deluxe.scoring.one-a-card")
def test_deluxe_also_counts_the_last_hand_and_the_haggis() -> None:
    finished = replace(PLAIN, captured=(pile("2o"), 0, 0), last_hand=LAST_HAND, haggis=HAGGIS)
    assert captured(table("deluxe"), finished) == [1 + 4 + 3, 0, 0]


def test_deluxe_may_count_point_cards_by_agreement() -> None:
    finished = replace(PLAIN, captured=(pile("2o"), pile("J"), 0), last_hand=LAST_HAND, haggis=HAGGIS)
    assert captured(table("deluxe", captured="point_cards"), finished) == [6 + 2, 2, 0]


@pytest.mark.clause(
    "common.ending.hand-to-first-out",
    "common.ending.haggis-to-first-out",
    "revised.scoring.end-of-round-cards-count",
)
@pytest.mark.parametrize("key", ("classic", "revised"))
def test_the_first_out_captures_the_last_hand_and_the_haggis(key: str) -> None:
    finished = replace(PLAIN, out=(1, 0), last_hand=LAST_HAND, haggis=HAGGIS)
    assert captured(table(key), finished) == [0, 8, 0]


@pytest.mark.clause("booklet.ending.haggis-to-last-to-play", "booklet.ending.hand-to-nobody")
def test_booklet_gives_the_haggis_to_the_last_to_play_and_nobody_the_last_hand() -> None:
    finished = replace(PLAIN, out=(0, 1), final_captor=1, last_hand=LAST_HAND, haggis=HAGGIS)
    assert captured(table("booklet"), finished) == [0, 2, 0]


@pytest.mark.clause("booklet.ending.haggis-after-a-bomb")
@pytest.mark.parametrize("captor", (0, 2))
def test_booklet_gives_the_haggis_to_the_captor_of_a_bombed_final_trick(captor: int) -> None:
    finished = replace(PLAIN, final_captor=captor, last_hand=LAST_HAND, haggis=HAGGIS)
    assert captured(table("booklet"), finished) == [2 * (seat == captor) for seat in range(3)]


@pytest.mark.clause("booklet.ending.haggis-after-a-bomb")
def test_two_player_booklet_gives_the_haggis_to_the_opponent_after_a_final_bomb() -> None:
    finished = replace(PLAIN_OF_TWO, final_captor=1, haggis=HAGGIS)
    assert captured(table("booklet", 2), finished) == [0, 2]


@pytest.mark.clause("haggish.ending.haggis-and-hand")
def test_haggish_gives_last_hand_and_haggis_to_nobody() -> None:
    finished = replace(PLAIN_OF_TWO, last_hand=LAST_HAND, haggis=HAGGIS)
    assert captured(table("haggish", 2), finished) == [0, 0]


@pytest.mark.clause("haggish.ending.haggis-and-hand")
def test_haggish_may_give_both_to_the_first_out_by_agreement() -> None:
    finished = replace(PLAIN_OF_TWO, out=(1,), last_hand=LAST_HAND, haggis=HAGGIS)
    assert captured(table("haggish", 2, haggis_capture="first_out"), finished) == [0, 8]


@given(game=any_finished())
def test_every_captured_card_is_counted_once(
    game: tuple[TableRules, FinishedRound],
) -> None:
    rules, finished = game
    uncaptured = finished.last_hand * (rules.final_hand is FinalHand.NOBODY)
    uncaptured |= finished.haggis * (rules.haggis is Haggis.NOBODY)
    counted = points_of(rules.card_points, whole_deck(rules.players) & ~uncaptured)
    assert sum(captured(rules, finished)) == counted


@pytest.mark.parametrize(("players", "points"), ((2, 36), (3, 50)))
def test_the_whole_deck_is_worth_its_published_points(players: int, points: int) -> None:
    assert points_of(CardPoints.POINT_CARDS, whole_deck(players)) == points
    assert points_of(CardPoints.ONE_PER_CARD, whole_deck(players)) == {2: 42, 3: 54}[players]
