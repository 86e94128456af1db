"""Hash chain: each link is the hash of the next, so one anchor commits to 512 rounds and reveals none.

Round r is dealt from link r. A link reveals all earlier links and no later one, so it may be published once
its round is over. Link 512, from which all others follow, is as secret as all future hands.
"""

import hashlib
from dataclasses import dataclass, field
from typing import Final

from engine.deals.framing import LINK_BYTES, NAME, check_link, lp, utf8
from engine.errors import Malformed

LAST_LINK: Final = 512


@dataclass(frozen=True, slots=True)
class Chain:
    """The secret of a match's deals; its repr shows the deal id and no link."""

    deal_id: str
    last_link: bytes = field(repr=False)

    def link(self, number: int) -> bytes:
        """Return the link that round `number` is dealt from; number 0 is the anchor."""
        check_link_number(number, lowest=0)
        return earlier_link(self.deal_id, self.last_link, steps=LAST_LINK - number)

    @property
    def anchor(self) -> bytes:
        """Link 0, published before anyone joins."""
        return self.link(0)


def make_chain(deal_id: str, last_link: bytes) -> Chain:
    """Return the chain that ends in `last_link`: 32 bytes that the caller drew from a secure source.

    >>> make_chain("m_example", bytes(range(32))).anchor.hex()[:16]
    'fa6ac788c393ec94'
    """
    check_link(last_link)
    utf8(deal_id, where="deal_id")
    return Chain(deal_id, last_link)


def earlier_link(deal_id: str, link: bytes, *, steps: int) -> bytes:
    """Return the link that is `steps` places before this one."""
    check_link(link)
    # The bytes before the link are the same at every step, since all links have the same length.
    before = lp(NAME, b"chain", utf8(deal_id, where="deal_id"), link)[:-LINK_BYTES]
    for _ in range(steps):
        link = hashlib.sha256(before + link).digest()
    return link


def leads_to_anchor(*, deal_id: str, number: int, link: bytes, anchor: bytes) -> bool:
    """Return whether this is link `number` of the chain with this anchor."""
    check_link_number(number, lowest=1)
    return earlier_link(deal_id, link, steps=number) == anchor


def check_link_number(number: int, *, lowest: int) -> None:
    """Raise `Malformed` unless the chain has such a link, and so the match such a round."""
    if not lowest <= number <= LAST_LINK:
        raise Malformed("invalid_round", f"Rounds are numbered 1 to {LAST_LINK}.", where="number")
