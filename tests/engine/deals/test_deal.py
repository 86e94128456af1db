"""The deal of a round: known answers, and the inputs it depends on."""

import unicodedata

import pytest

from engine.cards.card import Card, parse_cards
from engine.cards.deck import deck_for
from engine.deals.chain import make_chain
from engine.deals.deal import Deal, deal
from engine.errors import Malformed

CHAIN = make_chain("m_example", bytes(range(32)))


def example(*, link: bytes = CHAIN.link(1), seeds: tuple[str, ...] = ("salt", ""), number: int = 1) -> Deal:
    """Return the two-player example, or a variant that differs in one input."""
    return deal(deal_id="m_example", number=number, link=link, players=2, seeds=seeds)


def test_known_answer_for_two_players_in_round_1() -> None:
    dealt = example()
    assert dealt.hands[0] == parse_cards("6r 5y 2g 3r 8r 7y 7g 6o 4g Tg 4o 5o 3g 6y")
    assert dealt.haggis == parse_cards("8o 2r Ty To 4r 8g 4y 2y")


def test_known_answer_for_three_players_in_round_2() -> None:
    dealt = deal(deal_id="m_example", number=2, link=CHAIN.link(2), players=3, seeds=("", "é", "x"))
    assert dealt.hands[2] == parse_cards("9b 6b 4b 8o 2b 9g 8y 7y 4g 3g 2r 7r 5y 3b")
    assert dealt.haggis == parse_cards("Tr 5o 8g")


@pytest.mark.parametrize(("players", "haggis"), ((2, 8), (3, 3)))
def test_the_hands_and_the_haggis_are_the_deck(players: int, haggis: int) -> None:
    for number in range(1, 40):
        dealt = deal(
            deal_id="m", number=number, link=CHAIN.link(number), players=players, seeds=("",) * players
        )
        assert [len(hand) for hand in dealt.hands] == [14] * players
        assert len(dealt.haggis) == haggis
        assert sorted([*sum(dealt.hands, ()), *dealt.haggis]) == sorted(deck_for(players))


def test_face_cards_are_not_dealt() -> None:
    assert not any(card.is_face for hand in example().hands for card in hand)


def test_every_flipped_byte_of_the_link_changes_the_deal() -> None:
    link = CHAIN.link(1)
    deals = {example(link=link[:at] + bytes([link[at] ^ 1]) + link[at + 1 :]) for at in range(32)}
    assert len(deals | {example()}) == 33


def test_every_other_input_changes_the_deal() -> None:
    link = CHAIN.link(1)
    others = {
        example(number=2),
        example(number=512),
        example(seeds=("sal", "t")),
        example(seeds=("", "salt")),
        example(seeds=("Salt", "")),
        example(seeds=("salt ", "")),
        deal(deal_id="m_exampl", number=1, link=link, players=2, seeds=("salt", "")),
        deal(deal_id="M_example", number=1, link=link, players=2, seeds=("salt", "")),
        deal(deal_id="m_example", number=1, link=link, players=3, seeds=("salt", "", "")),
    }
    assert len(others | {example()}) == 10


def test_every_changed_character_of_seed_or_deal_id_changes_the_deal() -> None:
    changed = {example(seeds=("salt"[:at] + "~" + "salt"[at + 1 :], "")) for at in range(4)}
    for at in range(len("m_example")):
        other_id = "m_example"[:at] + "~" + "m_example"[at + 1 :]
        changed.add(deal(deal_id=other_id, number=1, link=CHAIN.link(1), players=2, seeds=("salt", "")))
    assert len(changed | {example()}) == 14


def test_composed_and_decomposed_letters_in_a_seed_give_different_deals() -> None:
    assert example(seeds=("é", "")) != example(seeds=(unicodedata.normalize("NFD", "é"), ""))


def test_the_same_inputs_give_the_same_deal() -> None:
    assert example() == example(seeds=("salt", ""))


def test_the_repr_of_a_deal_shows_no_card() -> None:
    assert repr(example()) == str(example()) == "Deal()"


def test_dealt_cards_are_engine_cards() -> None:
    assert all(card is Card.parse(str(card)) for card in example().haggis)


@pytest.mark.parametrize("number", (0, -1, 513))
def test_rounds_are_numbered_1_to_512(number: int) -> None:
    with pytest.raises(Malformed) as refusal:
        example(number=number)
    assert refusal.value.code == "invalid_round"


@pytest.mark.parametrize("players", (0, 1, 4))
def test_a_deal_is_for_two_or_three_players(players: int) -> None:
    with pytest.raises(Malformed) as refusal:
        deal(deal_id="m", number=1, link=bytes(32), players=players, seeds=("",) * players)
    assert refusal.value.code == "invalid_players"


def test_input_that_cannot_be_encoded_is_refused() -> None:
    with pytest.raises(Malformed) as refusal:
        example(link=bytes(31))
    assert refusal.value.code == "invalid_link"
    with pytest.raises(Malformed) as refusal:
        example(seeds=("salt",))
    assert refusal.value.code == "invalid_client_seed"
    with pytest.raises(Malformed) as refusal:
        deal(deal_id="\ud800", number=1, link=bytes(32), players=2, seeds=("", ""))
    assert (refusal.value.code, refusal.value.where) == ("invalid_text", "deal_id")
