"""Template filters that draw cards."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()

# Suits differ in shape as well as in colour, for colour-blind users.
_SUIT_SHAPES: Final = {"r": "♥", "o": "★", "y": "▲", "g": "♣", "b": "●"}
_SUIT_NAMES: Final = {"r": "red", "o": "orange", "y": "yellow", "g": "green", "b": "blue"}


@register.filter
def draw_cards(cards: Iterable[str] | None) -> SafeString:
    """Draw cards in a row, given their codes.

    >>> draw_cards(["Tr", "J"])  # doctest: +NORMALIZE_WHITESPACE
    '<span class="hand"><span class="playing-card suit-r" title="10 red">10♥</span><span
    class="playing-card face">J</span></span>'
    """
    drawn_cards = format_html_join("", "{}", ((_draw_card(card),) for card in cards or ()))
    return format_html('<span class="hand">{}</span>', drawn_cards)


def _draw_card(code: str) -> SafeString:
    if len(code) == 1:
        return format_html('<span class="playing-card face">{}</span>', code)
    rank, suit = code[0].replace("T", "10"), code[1]
    return format_html(
        '<span class="playing-card suit-{}" title="{} {}">{}{}</span>',
        suit,
        rank,
        _SUIT_NAMES[suit],
        rank,
        _SUIT_SHAPES[suit],
    )


@register.filter
def at(items: Sequence[object] | Mapping[int, object], index: int) -> object:
    """Return the item of a list or mapping at an index."""
    return items[index]
