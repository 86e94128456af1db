"""Validate client seeds: texts chosen by the players, fixed when they join and public from then on."""

from collections.abc import Sequence
from typing import Final

from engine.errors import Malformed

SEED_LENGTH: Final = 64


def check_client_seed(seed: str) -> str:
    """Return the seed unchanged, or raise `Malformed`.

    Nothing is trimmed or normalised: a player who typed the seed must find the same bytes in every later
    check.

    >>> check_client_seed(" salt ")
    ' salt '
    """
    if len(seed) > SEED_LENGTH:
        raise _refused("A client seed has at most {most} characters.", most=SEED_LENGTH)
    if "\0" in seed:
        raise _refused("A client seed must not contain a NUL character.")
    if any("\ud800" <= character <= "\udfff" for character in seed):
        raise _refused("A client seed must not contain an unpaired surrogate.")
    return seed


def seed_bytes(seeds: Sequence[str], *, players: int) -> tuple[bytes, ...]:
    """Return the bytes of every seat's seed, seat 0 first; a seat without a seed has the empty text."""
    if len(seeds) != players:
        raise _refused("There is one client seed for each seat.")
    return tuple(check_client_seed(seed).encode() for seed in seeds)


def _refused(detail: str, **values: object) -> Malformed:
    return Malformed("invalid_client_seed", detail, where="client_seed", **values)
