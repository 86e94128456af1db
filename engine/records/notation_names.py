"""Name the combination of a play in text notation, only if the cards fit more than one.

The name is what players would write: `set 3`, `run 7-9`, `stair 5-6`, `bomb 5`. Partial or wrong names, which
a record may also contain, have a longer form with width and length: `set 3 2x1`, `run 9 ?x?`. A play that the
record leaves unnamed has `?`. Which combinations the cards fit is decided by the most permissive rules, so
that the notation is the same for every rule set and version.

>>> from engine.cards.card import parse_cards
>>> name_text(parse_cards("7r 7g"), Named(Kind.SET, 7, 2, 1), players=2)
''
>>> name_text(parse_cards("3r J Q"), Named(Kind.RUN, 5, 1, 3), players=2)
'run 3-5'
>>> read_name("run 3-5", parse_cards("3r J Q"), players=2)
Named(kind=<Kind.RUN: 'run'>, top=5, width=1, length=3)
"""

import re
from typing import Final

from engine.cards.card import RANK_CODES, Card
from engine.cards.deck import SUITS_FOR
from engine.cards.hand import mask_of
from engine.combinations.ambiguity import UNNAMED, Named
from engine.combinations.kinds import Kind, combination_of
from engine.combinations.readings import numbers_of
from engine.combinations.rules import CombinationRules
from engine.records.notation_words import unreadable

Cards = tuple[Card, ...]

_NOT_NAMED: Final = "?"
_RANK_OF: Final = {code: rank for rank, code in RANK_CODES.items()}
_SHORT: Final = re.compile("(set|bomb) ([2-9TJQK1])|(run|stair) ([2-9TJQK])-([2-9TJQK])")
_SIZE: Final = r"([0-9]{1,9}|\?)"
_LONG: Final = re.compile(rf"(?:({'|'.join(Kind)}) )?(?:([0-9]{{1,9}}|[TJQK]) )?{_SIZE}x{_SIZE}")


def name_text(cards: Cards, named: Named, players: int) -> str:
    """Return the name to write after the cards, or an empty text if they fit only the named combination."""
    if named == UNNAMED:
        return _NOT_NAMED
    return "" if named == _only_name(cards, players) else _short_text(named, len(cards)) or _long_text(named)


def read_name(text: str, cards: Cards, players: int) -> Named:
    """Return the combination named after the cards or, if there is no name, the only one that they fit."""
    if text == _NOT_NAMED:
        return UNNAMED
    named = (_read_short(text, len(cards)) or _read_long(text)) if text else _only_name(cards, players)
    if named is None:
        raise unreadable("Name the combination of these cards, as in: =run 7-9")
    return named


def _only_name(cards: Cards, players: int) -> Named | None:
    """Return the name of the combination that the cards fit, if there is exactly one."""
    numbers = numbers_of(mask_of(cards), CombinationRules(SUITS_FOR[players]))
    if len(numbers) != 1:
        return None
    only = combination_of(numbers[0])
    return Named(only.kind, only.top, only.width, only.length)


def _short_text(named: Named, count: int) -> str:
    """Return the short form, or an empty text if it would not read back to the same name."""
    match named:
        case Named(kind=(Kind.SET | Kind.BOMB) as kind, top=int(top)):
            text = f"{kind} {RANK_CODES.get(top, top)}"
        case Named(kind=(Kind.RUN | Kind.STAIR) as kind, top=int(top), length=int(length)):
            lowest = top - length + 1
            text = f"{kind} {RANK_CODES.get(lowest, lowest)}-{RANK_CODES.get(top, top)}"
        case _:
            return ""
    return text if _read_short(text, count) == named else ""


def _read_short(text: str, count: int) -> Named | None:
    found = _SHORT.fullmatch(text)
    if not found:
        return None
    single, only, ladder, lowest, highest = found.groups()
    if single == Kind.BOMB:
        return Named(Kind.BOMB, _rank(only), 0, 0)
    if single == Kind.SET:
        return Named(Kind.SET, _rank(only), count, 1)
    length = _rank(highest) - _rank(lowest) + 1
    if length < 1 or count % length:
        return None
    return Named(Kind(ladder), _rank(highest), count // length, length)


def _rank(code: str) -> int:
    return _RANK_OF.get(code, 1)


def _long_text(named: Named) -> str:
    kind = "" if named.kind is None else f"{named.kind} "
    top = "" if named.top is None else f"{RANK_CODES.get(named.top, named.top)} "
    return f"{kind}{top}{_size(named.width)}x{_size(named.length)}"


def _size(size: int | None) -> str:
    return "?" if size is None else str(size)


def _read_long(text: str) -> Named | None:
    found = _LONG.fullmatch(text)
    if not found:
        return None
    kind, top, width, length = found.groups()
    return Named(
        None if kind is None else Kind(kind),
        None if top is None else _RANK_OF.get(top) or int(top),
        _read_size(width),
        _read_size(length),
    )


def _read_size(text: str) -> int | None:
    return None if text == "?" else int(text)
