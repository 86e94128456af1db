"""Describe the outcome of a replay: valid, with deals proven or unproven, or the first mistake."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Deals(StrEnum):
    """Whether every deal is proven to follow from the anchor, the links and the seeds."""

    PROVEN = "proven"
    UNPROVEN = "unproven"


@dataclass(frozen=True, slots=True)
class Valid:
    """The record is valid."""

    deals: Deals

    @property
    def valid(self) -> bool:
        """Always true."""
        return True

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as sent to clients."""
        return {"valid": True, "deals": self.deals.value}


@dataclass(frozen=True, slots=True)
class Wrong:
    """The first mistake: its location as a JSON pointer into the record, a stable code, and a sentence."""

    where: str
    code: str
    detail: str

    @property
    def valid(self) -> bool:
        """Always false."""
        return False

    def as_json(self) -> dict[str, Any]:
        """Return the verdict as sent to clients."""
        return {"valid": False, "where": self.where, "code": self.code, "detail": self.detail}


Verdict = Valid | Wrong


class Mistake(Exception):
    """Raised inside a replay at the first mistake, and always caught there."""

    def __init__(self, where: str, code: str, detail: str) -> None:
        """Store the location, the code and the sentence."""
        super().__init__(detail)
        self.wrong = Wrong(where, code, detail)
