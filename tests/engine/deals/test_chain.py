"""The hash chain: known answers, which links derive which, and secrecy."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.deals.chain import LAST_LINK, Chain, earlier_link, leads_to_anchor, make_chain
from engine.errors import Malformed

EXAMPLE = make_chain("m_example", bytes(range(32)))
ANCHOR = "fa6ac788c393ec9434e42e5a0bdd96f39c02bca193d46b7718f6286f0955598e"
LINK_1 = "a2daf0915bb3ab4067ac6df7a03eb17b8bc84c75772c38c29a41a6c09444828f"
LINK_2 = "7612e0a9335673664659975e97be2ad13267a9ac3745a3c13e1ba2cb8eb98c30"


def test_known_answers_of_the_chain() -> None:
    assert EXAMPLE.anchor.hex() == ANCHOR
    assert EXAMPLE.link(1).hex() == LINK_1
    assert EXAMPLE.link(2).hex() == LINK_2


def test_link_512_is_the_secret_and_link_0_the_anchor() -> None:
    assert LAST_LINK == 512
    assert EXAMPLE.link(512) == bytes(range(32))
    assert EXAMPLE.link(0) == EXAMPLE.anchor


def test_a_link_is_the_hash_of_the_next_one() -> None:
    framed = b"\0\0\0\x11haggis-shuffle-v1\0\0\0\x05chain\0\0\0\x09m_example\0\0\0\x20" + bytes(range(32))
    assert EXAMPLE.link(511) == hashlib.sha256(framed).digest()


@given(number=st.integers(2, 512), steps=st.integers(0, 512))
def test_a_link_derives_every_earlier_one(number: int, steps: int) -> None:
    steps = min(steps, number)
    assert earlier_link("m_example", EXAMPLE.link(number), steps=steps) == EXAMPLE.link(number - steps)


@pytest.mark.parametrize("number", (1, 2, 7, 512))
def test_a_link_matches_the_anchor_only_under_its_own_number(number: int) -> None:
    link = EXAMPLE.link(number)
    assert leads_to_anchor(deal_id="m_example", number=number, link=link, anchor=EXAMPLE.anchor)
    other = number % 512 + 1
    assert not leads_to_anchor(deal_id="m_example", number=other, link=link, anchor=EXAMPLE.anchor)


def test_the_anchor_is_not_accepted_as_the_link_of_a_round() -> None:
    with pytest.raises(Malformed) as refusal:
        leads_to_anchor(deal_id="m_example", number=0, link=EXAMPLE.anchor, anchor=EXAMPLE.anchor)
    assert refusal.value.code == "invalid_round"


def test_every_flipped_byte_of_link_or_anchor_is_detected() -> None:
    link, anchor = EXAMPLE.link(2), EXAMPLE.anchor
    for place in range(32):
        assert not leads_to_anchor(deal_id="m_example", number=2, link=flipped(link, place), anchor=anchor)
        assert not leads_to_anchor(deal_id="m_example", number=2, link=link, anchor=flipped(anchor, place))


def test_every_changed_character_of_the_deal_id_is_detected() -> None:
    for place in range(len("m_example")):
        other = "m_example"[:place] + "~" + "m_example"[place + 1 :]
        assert not leads_to_anchor(deal_id=other, number=2, link=EXAMPLE.link(2), anchor=EXAMPLE.anchor)


def test_the_repr_of_a_chain_shows_no_link() -> None:
    assert repr(EXAMPLE) == str(EXAMPLE) == f"{EXAMPLE}" == "Chain(deal_id='m_example')"


def test_a_chain_is_a_value() -> None:
    assert make_chain("m_example", bytes(range(32))) == EXAMPLE
    assert make_chain("m_example", bytes(32)) != EXAMPLE
    with pytest.raises(AttributeError):
        EXAMPLE.last_link = bytes(32)  # type: ignore[misc]  # that it is frozen is the point


@pytest.mark.parametrize("number", (-1, 513))
def test_links_are_numbered_0_to_512(number: int) -> None:
    with pytest.raises(Malformed, match=r"^Rounds are numbered 1 to 512\.$") as refusal:
        EXAMPLE.link(number)
    assert (refusal.value.code, refusal.value.where) == ("invalid_round", "number")


@pytest.mark.parametrize("length", (0, 31, 33))
def test_a_secret_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(Malformed) as refusal:
        make_chain("m_example", bytes(length))
    assert refusal.value.code == "invalid_link"


def test_a_short_link_is_refused_wherever_it_comes_in() -> None:
    with pytest.raises(Malformed):
        Chain("m_example", bytes(31)).link(512)
    with pytest.raises(Malformed):
        leads_to_anchor(deal_id="m_example", number=1, link=bytes(31), anchor=EXAMPLE.anchor)


def test_a_deal_id_that_is_not_valid_text_is_refused() -> None:
    with pytest.raises(Malformed) as refusal:
        make_chain("\udcff", bytes(32))
    assert (refusal.value.code, refusal.value.where) == ("invalid_text", "deal_id")
    with pytest.raises(Malformed) as refusal:
        earlier_link("\udcff", bytes(32), steps=1)
    assert refusal.value.where == "deal_id"


def flipped(proof: bytes, place: int) -> bytes:
    """Return the same bytes with one bit flipped."""
    return proof[:place] + bytes([proof[place] ^ 1]) + proof[place + 1 :]
