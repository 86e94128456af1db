"""Seats as letters, texts in quotes, numbers in digits."""

import pytest
from hypothesis import given

from engine.errors import Malformed
from engine.records.notation_words import quoted, read_number, read_quoted, read_seat, seat_letter, unreadable
from tests.engine.records.any_record import TEXTS


def code_of(text: str, read: object) -> str:
    """Return the error code of a text."""
    assert callable(read)
    with pytest.raises(Malformed) as refusal:
        read(text)
    return refusal.value.code


def test_seats_are_letters() -> None:
    assert [seat_letter(seat) for seat in range(3)] == ["A", "B", "C"]
    assert [read_seat(letter) for letter in "ABC"] == [0, 1, 2]
    for letter in ("D", "a", "", "AB", "0"):
        assert code_of(letter, read_seat) == "unreadable_line"


@given(TEXTS)
def test_every_text_is_quoted_on_one_line_and_round_trips(text: str) -> None:
    line = quoted(text)
    assert line.isprintable()
    assert read_quoted(line) == text


def test_printable_characters_are_not_escaped() -> None:
    assert quoted('Mac "é" 🐑\\\n') == '"Mac \\"é\\" 🐑\\\\\\n"'


@pytest.mark.parametrize("text", ("", "heather", "7", '"', '"a" b', '"\\x"', "NaN", "[" * 9, '"\n"'))
def test_an_unquoted_text_is_malformed(text: str) -> None:
    assert code_of(text, read_quoted) == "unreadable_line"


def test_numbers_are_digits() -> None:
    assert (read_number("15"), read_number("-7")) == (15, -7)
    for text in ("", "1.0", "+1", "\u0661", "1" * 10, "--1"):
        assert code_of(text, read_number) == "unreadable_line"


def test_an_unreadable_line_explains_the_expected_form() -> None:
    assert unreadable("As in: A").detail == "As in: A"
