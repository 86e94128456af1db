"""Client seeds are used unchanged, or refused."""

import unicodedata

import pytest

from engine.deals.seeds import SEED_LENGTH, check_client_seed, seed_bytes
from engine.errors import Malformed


@pytest.mark.parametrize("seed", ("", "salt", " \t\n salt \r\n", "é", "e\u0301", "\ufeff", "\x7f", "🂡" * 64))
def test_a_seed_is_returned_unchanged(seed: str) -> None:
    assert check_client_seed(seed) == seed


def test_the_length_limit_counts_code_points() -> None:
    assert SEED_LENGTH == 64
    check_client_seed("🂡" * 64)
    with pytest.raises(Malformed, match=r"^A client seed has at most 64 characters\.$"):
        check_client_seed("a" * 65)
    with pytest.raises(Malformed):
        check_client_seed("e\u0301" * 33)


@pytest.mark.parametrize(
    ("seed", "why"),
    (
        ("\0", "NUL"),
        ("salt\0", "NUL"),
        ("\ud800", "surrogate"),
        ("a\udbff", "surrogate"),
        ("b\udc00", "surrogate"),
        ("\udfffz", "surrogate"),
        ("a" * 65, "at most 64"),
    ),
)
def test_a_refused_seed_has_its_own_error_code(seed: str, why: str) -> None:
    with pytest.raises(Malformed, match=why) as refusal:
        check_client_seed(seed)
    assert (refusal.value.code, refusal.value.where) == ("invalid_client_seed", "client_seed")


@pytest.mark.parametrize("neighbour", ("\ud7ff", "\ue000"))
def test_characters_next_to_the_surrogates_are_accepted(neighbour: str) -> None:
    assert check_client_seed(neighbour) == neighbour


def test_composed_and_decomposed_letters_are_different_seeds() -> None:
    composed, decomposed = "é", unicodedata.normalize("NFD", "é")
    assert seed_bytes((composed, decomposed), players=2) == (b"\xc3\xa9", b"e\xcc\x81")


@pytest.mark.parametrize("seeds", ((), ("a",), ("a", "b", "c")))
def test_a_seed_is_required_for_each_seat(seeds: tuple[str, ...]) -> None:
    with pytest.raises(Malformed, match=r"^There is one client seed for each seat\.$"):
        seed_bytes(seeds, players=2)


def test_one_invalid_seed_among_valid_ones_is_refused() -> None:
    with pytest.raises(Malformed, match="NUL"):
        seed_bytes(("fine", "\0"), players=2)
