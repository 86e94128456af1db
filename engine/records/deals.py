"""Verify the deals of a record against the anchor, the links and the players' seeds.

If the record does not contain enough, the deals are unproven; what it does contain must be consistent.
"""

from dataclasses import dataclass, replace

from engine.cards.card import FACE_CARDS, Card
from engine.cards.deck import deck_for
from engine.deals.chain import earlier_link
from engine.deals.deal import Deal, deal
from engine.deals.first_seat import first_seat
from engine.records.record import Record, RecordedRound
from engine.records.verdict import Mistake


@dataclass(frozen=True, slots=True)
class Proof:
    """How far the chain has been followed: the last known link, and whether every deal so far is proven."""

    proven: bool
    number: int
    known: bytes | None


def begin_proof(record: Record) -> Proof:
    """Return the proof before the first round; it requires anchor, deal id, seeds and at least one round."""
    shown = record.anchor is not None and record.deal_id is not None and record.client_seeds is not None
    anchor = None if record.anchor is None else bytes.fromhex(record.anchor)
    return Proof(proven=shown and bool(record.rounds), number=0, known=anchor)


def check_deal(record: Record, played: RecordedRound, where: str, proof: Proof) -> Proof:
    """Check that the cards are the deck, the link belongs to the chain, and the link deals these cards."""
    _check_deck(played, where, record.players)
    if played.link is None or record.deal_id is None:
        return replace(proof, proven=False)
    link = bytes.fromhex(played.link)
    _check_link(record.deal_id, played.number, link, f"{where}/link", proof)
    if record.client_seeds is not None:
        dealt = deal(
            deal_id=record.deal_id,
            number=played.number,
            link=link,
            players=record.players,
            seeds=record.client_seeds,
        )
        _check_cards(dealt, played, where)
    return replace(proof, number=played.number, known=link)


def drawn_seat(record: Record) -> int | None:
    """Return the seat drawn by the first link, or None if it cannot be derived."""
    first = record.rounds[0].link if record.rounds else None
    if first is None or record.deal_id is None or record.client_seeds is None:
        return None
    link = bytes.fromhex(first)
    return first_seat(deal_id=record.deal_id, link=link, players=record.players, seeds=record.client_seeds)


def _check_deck(played: RecordedRound, where: str, players: int) -> None:
    """Check that everyone has J, Q and K, and that all other cards make up the deck."""
    left = set(deck_for(players))
    for seat, hand in enumerate(played.hands):
        left.update(FACE_CARDS)
        _remove(hand, left, f"{where}/hands/{seat}")
        if not left.isdisjoint(FACE_CARDS):
            raise Mistake(f"{where}/hands/{seat}", "not_the_deck", "This hand lacks a J, Q or K.")
    _remove(played.haggis, left, f"{where}/haggis")


def _remove(cards: tuple[Card, ...], left: set[Card], where: str) -> None:
    """Remove the cards from `left`, the rest of the deck."""
    for index, card in enumerate(cards):
        if card not in left:
            detail = f"The card {card} is dealt twice or is not in this deck."
            raise Mistake(f"{where}/{index}", "not_the_deck", detail)
        left.remove(card)


def _check_link(deal_id: str, number: int, link: bytes, where: str, proof: Proof) -> None:
    """Check that the link leads to the last known link before it, and so to the anchor."""
    if proof.known is None:
        return
    if earlier_link(deal_id, link, steps=number - proof.number) != proof.known:
        target = f"the link of round {proof.number}" if proof.number else "the anchor"
        raise Mistake(where, "wrong_link", f"This link does not lead to {target}.")


def _check_cards(dealt: Deal, played: RecordedRound, where: str) -> None:
    """Check that the hands are as dealt, in any order; the haggis is then the rest of the deck."""
    for seat, hand in enumerate(dealt.hands):
        if set(played.hands[seat]) != {*hand, *FACE_CARDS}:
            detail = "The link and the seeds deal different cards to this seat."
            raise Mistake(f"{where}/hands/{seat}", "wrong_deal", detail)
