"""A match from its log alone: the deals, and every entry applied again, in order.

The state of a match is the fold of its log. What the fold expects an entry to say is compared with what it
says by who asked for the fold (`games.services.verifying`).
"""

from dataclasses import dataclass, field
from typing import Any, Final

from games.gateway.agreement import Agreement
from games.gateway.cut_short import round_cut_short
from games.gateway.deals import Deals
from games.gateway.folded_seats import FoldedSeats
from games.gateway.happenings import deal_event
from games.gateway.table import Outcome, Table, read_action

Form = dict[str, Any]

TURNS: Final = frozenset({"play", "pass", "bet", "award"})
# Entries after which a match is in another state, whatever its table is.
_STATES: Final = {"started": "active", "cancelled": "cancelled", "paused": "paused", "resumed": "active"}


@dataclass(slots=True)
class Expected:
    """What an entry must say: the parts that are its action's own, and what it brought about."""

    said: Form = field(default_factory=dict)
    then: list[Form] = field(default_factory=list)


@dataclass(slots=True)
class Fold:
    """A match as far as its log has been gone through."""

    agreement: Agreement
    deals: Deals
    seats: FoldedSeats
    status: str = "open"
    version: int = 0
    table: Table | None = None

    def take(self, entry: Form) -> Expected:
        """Apply the next entry; refused by the engine if it could not have happened."""
        self.version += 1
        self.status = _STATES.get(entry["type"], self.status)
        self.seats.take(entry)
        if entry["type"] == "started":
            return self._start()
        if entry["type"] in TURNS:
            return self._act(entry)
        if any(happening["type"] == "match_end" for happening in entry["then"]):
            return self._cut_short()
        return Expected()

    def _start(self) -> Expected:
        table = self.table = Table.start(self.agreement, self.deals)
        return Expected(then=[deal_event(table.round_number, table.dealer, table.leader)])

    def _act(self, entry: Form) -> Expected:
        outcome = self._outcome(entry)
        self.table = outcome.table
        if outcome.table.to_act is None:
            self.status = "finished"
        for happening in outcome.then:
            if happening["type"] == "round_end":
                happening["link"] = self.deals.link(happening["number"])
        return Expected(outcome.said, outcome.then)

    def _outcome(self, entry: Form) -> Outcome:
        if self.table is None:
            raise ValueError("Nobody can act before the start.")
        action = read_action({**entry, "as": entry["combination"]})
        return self.table.act(entry["seat"], action, self.deals.dealing())

    def _cut_short(self) -> Expected:
        """The end of a match that is not played out. Its result is the service's to say, not the engine's."""
        if self.table is None:
            raise ValueError("Nothing can end before the start.")
        self.status = "finished"
        return Expected(then=[round_cut_short(self.table, self.deals.link(self.table.round_number))])
