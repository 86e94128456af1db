"""The numbers derived from a key, and the uniform choice made from them."""

import hashlib
import hmac
import itertools

import pytest

from engine.deals.stream import below, numbers_of


def test_each_block_gives_eight_numbers_in_order() -> None:
    key = b"k" * 32
    blocks = b"".join(block(key, index) for index in range(3))
    expected = [int.from_bytes(blocks[at : at + 4], "big") for at in range(0, 96, 4)]
    assert list(itertools.islice(numbers_of(key), 24)) == expected


def block(key: bytes, index: int) -> bytes:
    """Return one block, computed from its description."""
    framed = b"\0\0\0\x11haggis-shuffle-v1\0\0\0\x06stream\0\0\0\x08" + index.to_bytes(8, "big")
    return hmac.new(key, framed, hashlib.sha256).digest()


def test_another_key_gives_different_numbers() -> None:
    first = list(itertools.islice(numbers_of(b"a"), 8))
    assert not set(first) & set(itertools.islice(numbers_of(b"b"), 8))


def test_known_answer_of_the_rejection_branch() -> None:
    assert below(iter([4294967295, 5]), 3) == 2


@pytest.mark.parametrize("bound", (3, 5, 7, 36, 45, 2**31 + 1))
def test_the_first_number_past_the_last_multiple_is_skipped(
    bound: int,
) -> None:
    usable = 2**32 // bound * bound
    assert below(iter([usable - 1, 0]), bound) == bound - 1
    assert below(iter([usable, 1]), bound) == 1
    assert below(iter([2**32 - 1, usable, usable, 2]), bound) == 2


@pytest.mark.parametrize("bound", (1, 2, 4, 32, 2**31, 2**32))
def test_nothing_is_skipped_if_the_bound_divides_the_range(bound: int) -> None:
    numbers = iter([2**32 - 1, 0])
    assert below(numbers, bound) == (2**32 - 1) % bound
    assert next(numbers) == 0


def test_each_choice_uses_one_number() -> None:
    numbers = iter([10, 11, 12])
    assert [below(numbers, 8), below(numbers, 8), below(numbers, 8)] == [2, 3, 4]
