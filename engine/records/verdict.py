"""What a replay finds: the record is right, and its deals proven or not, or the first thing that is wrong."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Deals(StrEnum):
    """Whether every deal follows from the anchor, the links and the seeds, or cannot be checked so."""

    PROVEN = "proven"
    UNPROVEN = "unproven"


@dataclass(frozen=True, slots=True)
class Valid:
    """Everything in the record is as the rules have it."""

    deals: Deals

    @property
    def valid(self) -> bool:
        """A right record."""
        return True

    def as_json(self) -> dict[str, Any]:
        """The verdict as clients get it."""
        return {"valid": True, "deals": self.deals.value}


@dataclass(frozen=True, slots=True)
class Wrong:
    """The first thing wrong: where as a JSON pointer into the record, a stable code, and a sentence."""

    where: str
    code: str
    detail: str

    @property
    def valid(self) -> bool:
        """A wrong record."""
        return False

    def as_json(self) -> dict[str, Any]:
        """The verdict as clients get it."""
        return {"valid": False, "where": self.where, "code": self.code, "detail": self.detail}


Verdict = Valid | Wrong


class Mistake(Exception):
    """Raised inside a replay at the first thing wrong, and never let out of it."""

    def __init__(self, where: str, code: str, detail: str) -> None:
        """Keep where, what and why."""
        super().__init__(detail)
        self.wrong = Wrong(where, code, detail)
