"""The table as the player sees it before a turn: counts and points, the trick and the hand."""

from engine.cards.card import RANK_CODES, RANKS, Card
from engine.cards.deck import suits_for
from engine.cards.hand import CARD_BIT, FACES, FACES_AT
from engine.scoring.captured_cards import points_of
from engine.views.round_view import RoundView
from examples.terminal.paint import Paint

Names = tuple[str, ...]


def table(view: RoundView, names: Names, paint: Paint) -> str:
    """Return the whole table."""
    parts = [*seats(view, names, paint), "", *trick(view, names, paint)]
    return "\n".join([*parts, *hand(view, paint)])


def seats(view: RoundView, names: Names, paint: Paint) -> list[str]:
    """Return a line per player."""
    width = max(map(len, names))
    return [f"  {paint.bold(name.ljust(width))}  {_seat(view, at, paint)}" for at, name in enumerate(names)]


def _seat(view: RoundView, seat: int, paint: Paint) -> str:
    count = view.counts[seat]
    cards = f"{count:2} card{'s' if count != 1 else ' '}" if count else "is out  "
    faces = paint.cards(view.faces[seat] << FACES_AT) + "  " * (3 - view.faces[seat].bit_count())
    points = points_of(view.rules.card_points, view.captured[seat])
    bet = view.bets[seat]
    return f"{cards}  {faces}  {points:2} points captured" + (
        "" if bet is None else f"  bet {bet or 'nothing'}"
    )


def trick(view: RoundView, names: Names, paint: Paint) -> list[str]:
    """Return the turns of the trick and an empty line; nothing before the lead."""
    if not view.trick:
        return []
    width = max(map(len, names))
    turns = [
        f"  {names[entry.seat].ljust(width)}  {paint.play(entry.play) if entry.play else 'passes'}"
        for entry in view.trick
    ]
    return [*turns, ""]


def hand(view: RoundView, paint: Paint) -> list[str]:
    """Return the player's hand with a line per suit, so that runs read across and sets read down."""
    hand_bits = view.hand or 0
    lines = [
        f"  {paint.shape(suit)}  "
        + " ".join(_card_or_dot(Card(rank, suit), hand_bits, paint) for rank in RANKS)
        for suit in suits_for(view.rules.players)
    ]
    head = "     " + " ".join(f"{RANK_CODES[rank]} " for rank in RANKS)
    return [
        paint.faint(head.rstrip()),
        *(line.rstrip() for line in lines),
        f"     {paint.cards(hand_bits & FACES)}".rstrip(),
    ]


def _card_or_dot(card: Card, hand_bits: int, paint: Paint) -> str:
    return paint.card(card) if hand_bits & CARD_BIT[card] else paint.faint("· ")
