"""Cards, seats, points, hashes and timestamps as records write them."""

import pytest

from engine.cards.card import parse_cards
from engine.records.formats import read_cards, read_hash, read_points, read_seats, read_time
from tests.engine.records.test_fields import error_of


def test_cards_are_read_in_order() -> None:
    assert read_cards(["Tr", "J", "2b"], "/a", range(9)) == parse_cards("Tr J 2b")


@pytest.mark.parametrize(
    ("value", "code"),
    (("1r", "unknown_card"), ("Jr", "unknown_card"), ("", "unknown_card"), (7, "wrong_type")),
)
def test_an_unknown_card_is_located(value: object, code: str) -> None:
    assert error_of(lambda: read_cards(["Tr", value], "/a", range(9))) == (code, "/a/1")


def test_the_second_of_two_equal_cards_is_located() -> None:
    assert error_of(lambda: read_cards(["Tr", "J", "Tr"], "/a", range(9))) == ("card_twice", "/a/2")


def test_seats_must_be_distinct() -> None:
    assert read_seats([2, 0], "/a", 3) == (2, 0)
    assert error_of(lambda: read_seats([2, 0], "/a", 2)) == ("out_of_range", "/a/0")
    assert error_of(lambda: read_seats([0, 0], "/a", 2)) == ("seat_twice", "/a")


def test_points_must_be_within_bounds() -> None:
    assert read_points(-15, "/a") == -15
    assert error_of(lambda: read_points(10**9, "/a")) == ("out_of_range", "/a")


def test_a_hash_has_64_hexadecimal_digits_in_either_case() -> None:
    assert read_hash("aB" * 32, "/a") == "aB" * 32
    assert error_of(lambda: read_hash(b"", "/a")) == ("wrong_type", "/a")


@pytest.mark.parametrize("value", ("ab" * 31, "ab" * 33, "xy" * 32, "ab" * 32 + "\n"))
def test_an_invalid_hash_is_malformed(value: str) -> None:
    assert error_of(lambda: read_hash(value, "/a")) == ("invalid_hash", "/a")


@pytest.mark.parametrize(
    "time", ("2026-01-31T12:00:00Z", "2026-01-31T12:00:00.123456Z", "2024-02-29T23:59:59+01:00")
)
def test_a_timestamp_is_returned_unchanged(time: str) -> None:
    assert read_time(time, "/a") == time


@pytest.mark.parametrize(
    "time", ("2026-02-30T12:00:00Z", "2026-01-31 12:00:00Z", "2026-01-31T12:00:00", "20260131T120000Z", "")
)
def test_an_invalid_timestamp_is_malformed(time: str) -> None:
    assert error_of(lambda: read_time(time, "/a")) == ("invalid_time", "/a")
    assert error_of(lambda: read_time(1769860800, "/a")) == ("wrong_type", "/a")
