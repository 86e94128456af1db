"""The first dealer (deluxe: the first leader) is drawn from link 1."""

import pytest

from engine.deals.chain import make_chain
from engine.deals.deal import draw_key
from engine.deals.first_seat import first_seat
from engine.errors import Malformed

LINK = make_chain("m_example", bytes(range(32))).link(1)


def test_known_answers_of_the_first_seat() -> None:
    assert first_seat(deal_id="m_example", link=LINK, players=2, seeds=("salt", "")) == 0
    assert first_seat(deal_id="m_example", link=LINK, players=3, seeds=("", "é", "x")) == 2


@pytest.mark.parametrize("players", (2, 3))
def test_every_seat_is_drawn_for_some_link(players: int) -> None:
    drawn = {seat_of(bytes([byte]) * 32, players) for byte in range(40)}
    assert drawn == set(range(players))


def seat_of(link: bytes, players: int) -> int:
    """Return the seat drawn if no player gave a seed."""
    return first_seat(deal_id="m", link=link, players=players, seeds=("",) * players)


def test_link_deal_id_and_seeds_all_affect_the_draw() -> None:
    def drawn(*, deal_id: str = "m", seed: str = "", fill: int = 0) -> tuple[int, ...]:
        links = (bytes([fill, byte]) * 16 for byte in range(60))
        return tuple(
            first_seat(deal_id=deal_id, link=link, players=3, seeds=("", seed, "")) for link in links
        )

    assert len({drawn(), drawn(deal_id="n"), drawn(seed="x"), drawn(fill=1)}) == 4


def test_the_draw_uses_another_key_than_the_deal() -> None:
    assert draw_key(LINK, b"first", "m", ()) != draw_key(LINK, b"deal", "m", ())


@pytest.mark.parametrize("players", (0, 1, 4))
def test_the_seat_is_drawn_among_two_or_three(players: int) -> None:
    with pytest.raises(Malformed) as refusal:
        seat_of(LINK, players)
    assert refusal.value.code == "invalid_players"


def test_a_short_link_or_a_missing_seed_is_refused() -> None:
    with pytest.raises(Malformed) as refusal:
        first_seat(deal_id="m", link=bytes(31), players=2, seeds=("", ""))
    assert refusal.value.code == "invalid_link"
    with pytest.raises(Malformed) as refusal:
        first_seat(deal_id="m", link=LINK, players=2, seeds=("",))
    assert refusal.value.code == "invalid_client_seed"
