"""The encoding of texts and numbers is unambiguous."""

import pytest

from engine.deals.framing import NAME, check_link, decimal, lp, utf8
from engine.errors import Malformed


def test_each_part_is_prefixed_with_its_length_in_four_bytes() -> None:
    assert lp(b"", b"a" * 258) == b"\0\0\0\0" + b"\0\0\1\2" + b"a" * 258


def test_joining_nothing_gives_no_bytes() -> None:
    assert lp() == b""


def test_moving_a_byte_from_one_part_to_the_next_changes_the_bytes() -> None:
    assert len({lp(b"ab", b"c"), lp(b"a", b"bc"), lp(b"abc"), lp(b"", b"abc"), lp(b"abc", b"")}) == 5


def test_the_name_of_the_algorithm_is_part_of_every_hash() -> None:
    assert NAME == b"haggis-shuffle-v1"


def test_texts_are_utf_8_and_numbers_are_decimal() -> None:
    assert utf8("é🂡", where="deal_id") == b"\xc3\xa9\xf0\x9f\x82\xa1"
    assert decimal(512) == b"512"


def test_an_unpaired_surrogate_is_refused_with_its_location() -> None:
    with pytest.raises(Malformed, match=r"^The text contains an unpaired surrogate\.$") as refusal:
        utf8("m_\ud800", where="deal_id")
    assert (refusal.value.code, refusal.value.where) == ("invalid_text", "deal_id")


@pytest.mark.parametrize("length", (0, 31, 33, 64))
def test_a_link_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(Malformed, match=r"^A link has 32 bytes\.$") as refusal:
        check_link(bytes(length))
    assert (refusal.value.code, refusal.value.where) == ("invalid_link", "link")
