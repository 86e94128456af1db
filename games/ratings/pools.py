"""Pools: matches of one rule set and number of players, of people or of bots, are rated together."""

from typing import NamedTuple, Self

from games.gateway.agreement import rule_set_keys
from games.identity.models import PlayerKind


class Pool(NamedTuple):
    """A pool. People and bots have pools of their own with the same name."""

    kind: str
    ruleset: str
    players: int

    @property
    def name(self) -> str:
        """The name of the pool in responses.

        >>> Pool("human", "classic", 2).name
        'classic-2'
        """
        return f"{self.ruleset}-{self.players}"

    @classmethod
    def parse(cls, name: str, *, kind: str) -> Self | None:
        """Return the pool of this name for this kind of players, or `None` if there is none.

        >>> Pool.parse("classic-3", kind="bot")
        Pool(kind='bot', ruleset='classic', players=3)
        >>> Pool.parse("classic-4", kind="bot")
        """
        ruleset, _, players = name.rpartition("-")
        if ruleset in rule_set_keys() and players in {"2", "3"} and kind in RATED_KINDS:
            return cls(kind, ruleset, int(players))
        return None


# Guests have no ratings: they can start over at any time.
RATED_KINDS = (PlayerKind.HUMAN.value, PlayerKind.BOT.value)
