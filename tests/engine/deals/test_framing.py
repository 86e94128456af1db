"""Texts and numbers become bytes in one way only."""

import pytest

from engine.deals.framing import NAME, check_link, decimal, lp, utf8
from engine.errors import Malformed


def test_each_part_comes_after_its_length_in_four_bytes_big_endian() -> None:
    assert lp(b"", b"a" * 258) == b"\0\0\0\0" + b"\0\0\1\2" + b"a" * 258


def test_nothing_joined_is_nothing() -> None:
    assert lp() == b""


def test_moving_a_byte_from_one_part_to_the_next_changes_the_bytes() -> None:
    assert len({lp(b"ab", b"c"), lp(b"a", b"bc"), lp(b"abc"), lp(b"", b"abc"), lp(b"abc", b"")}) == 5


def test_the_name_of_the_method_is_part_of_every_hash() -> None:
    assert NAME == b"haggis-shuffle-v1"


def test_texts_are_utf_8_and_numbers_decimal_text() -> None:
    assert utf8("é🂡", where="deal_id") == b"\xc3\xa9\xf0\x9f\x82\xa1"
    assert decimal(512) == b"512"


def test_half_a_surrogate_pair_has_no_bytes_and_the_refusal_says_where_it_was() -> None:
    with pytest.raises(Malformed, match=r"^The text holds half of a surrogate pair\.$") as refusal:
        utf8("m_\ud800", where="deal_id")
    assert (refusal.value.code, refusal.value.where) == ("invalid_text", "deal_id")


@pytest.mark.parametrize("length", (0, 31, 33, 64))
def test_a_link_of_another_length_than_32_bytes_is_refused(length: int) -> None:
    with pytest.raises(Malformed, match=r"^A link has 32 bytes\.$") as refusal:
        check_link(bytes(length))
    assert (refusal.value.code, refusal.value.where) == ("invalid_link", "link")
