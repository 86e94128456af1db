"""Where the deals of a match come from: a chain of links that was fixed before anyone joined."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from engine.deals.chain import Chain, make_chain
from engine.deals.deal import Deal, deal
from engine.deals.first_seat import first_seat
from engine.deals.seeds import check_client_seed
from games.gateway.refusals import refusals

__all__ = ["Deal", "Deals", "checked_seed", "new_chain"]

LINK_BYTES = 32


@dataclass(frozen=True, slots=True)
class Deals:
    """The deals of one match: its chain and the seeds its players gave. Prints neither links nor cards."""

    deal_id: str
    last_link: bytes = field(repr=False)
    seeds: tuple[str, ...]

    @property
    def chain(self) -> Chain:
        """The chain of links."""
        return make_chain(self.deal_id, self.last_link)

    def link(self, number: int) -> str:
        """The link of a round, to be published when it has ended."""
        return self.chain.link(number).hex()

    def first_seat(self) -> int:
        """The seat drawn to deal, or in some rule sets to lead, the first round."""
        return first_seat(
            deal_id=self.deal_id, link=self.chain.link(1), players=len(self.seeds), seeds=self.seeds
        )

    def dealing(self) -> Callable[[int], Deal]:
        """The deal of each round by its number."""
        chain = self.chain

        def dealt(number: int) -> Deal:
            return deal(
                deal_id=self.deal_id,
                number=number,
                link=chain.link(number),
                players=len(self.seeds),
                seeds=self.seeds,
            )

        return dealt


def new_chain(deal_id: str) -> tuple[bytes, str]:
    """A fresh last link from the system's secure source, and the anchor that is shown for it."""
    last_link = secrets.token_bytes(LINK_BYTES)
    return last_link, make_chain(deal_id, last_link).anchor.hex()


def checked_seed(seed: str, *, at: str = "/client_seed") -> str:
    """A client's seed exactly as received, or the reason why it is none."""
    with refusals(at=at):
        return check_client_seed(seed)
