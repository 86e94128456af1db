"""The chain of links: each is the hash of the next, so one anchor fixes 512 rounds and gives none away.

Round r is dealt from link r. Who holds a link can derive those before it and none of those after it; so a
link may be published once its round is over, and link 512, from which all others follow, is as secret as all
hands to come.
"""

import hashlib
from dataclasses import dataclass, field
from typing import Final

from engine.deals.framing import LINK_BYTES, NAME, check_link, lp, utf8
from engine.errors import Malformed

LAST_LINK: Final = 512


@dataclass(frozen=True, slots=True)
class Chain:
    """The secret of a match's deals. What it prints as tells the deal id and no link."""

    deal_id: str
    last_link: bytes = field(repr=False)

    def link(self, number: int) -> bytes:
        """The link that round `number` is dealt from; number 0 is the anchor."""
        check_link_number(number, lowest=0)
        return earlier_link(self.deal_id, self.last_link, steps=LAST_LINK - number)

    @property
    def anchor(self) -> bytes:
        """Link 0, shown before anyone joins."""
        return self.link(0)


def make_chain(deal_id: str, last_link: bytes) -> Chain:
    """The chain that ends in `last_link`: 32 bytes that the caller drew from the system's secure source.

    >>> make_chain("m_example", bytes(range(32))).anchor.hex()[:16]
    'fa6ac788c393ec94'
    """
    check_link(last_link)
    utf8(deal_id, where="deal_id")
    return Chain(deal_id, last_link)


def earlier_link(deal_id: str, link: bytes, *, steps: int) -> bytes:
    """The link `steps` places before this one."""
    check_link(link)
    # What stands before the link is the same at every step, since all links are equally long.
    before = lp(NAME, b"chain", utf8(deal_id, where="deal_id"), link)[:-LINK_BYTES]
    for _ in range(steps):
        link = hashlib.sha256(before + link).digest()
    return link


def leads_to_anchor(*, deal_id: str, number: int, link: bytes, anchor: bytes) -> bool:
    """Whether this is link `number` of the chain that was fixed by this anchor."""
    check_link_number(number, lowest=1)
    return earlier_link(deal_id, link, steps=number) == anchor


def check_link_number(number: int, *, lowest: int) -> None:
    """A chain has links up to 512, and so a match has at most 512 rounds."""
    if not lowest <= number <= LAST_LINK:
        raise Malformed("invalid_round", f"Rounds are numbered 1 to {LAST_LINK}.", where="number")
