"""Cards on the admin's pages: small, told apart by shape as well as by colour."""

from collections.abc import Iterable
from typing import Final

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()

# A shape for each suit, so that nobody has to tell them apart by colour alone.
_SHAPES: Final = {"r": "♥", "o": "★", "y": "▲", "g": "♣", "b": "●"}
_NAMES: Final = {"r": "red", "o": "orange", "y": "yellow", "g": "green", "b": "blue"}


@register.filter
def draw_cards(cards: Iterable[str] | None) -> SafeString:
    """Cards by their codes, in a row.

    >>> drawn(["Tr", "J"])  # doctest: +NORMALIZE_WHITESPACE
    '<span class="hand"><span class="playing-card suit-r" title="10 red">10♥</span><span
    class="playing-card face">J</span></span>'
    """
    each = format_html_join("", "{}", ((_one(card),) for card in cards or ()))
    return format_html('<span class="hand">{}</span>', each)


def _one(code: str) -> SafeString:
    if len(code) == 1:
        return format_html('<span class="playing-card face">{}</span>', code)
    rank, suit = code[0].replace("T", "10"), code[1]
    return format_html(
        '<span class="playing-card suit-{}" title="{} {}">{}{}</span>',
        suit,
        rank,
        _NAMES[suit],
        rank,
        _SHAPES[suit],
    )


@register.filter
def at(items: list[object], place: int) -> object:
    """What stands at a place of a list."""
    return items[place]
