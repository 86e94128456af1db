"""Define the errors of the engine: malformed input, and actions that break a rule."""

from engine.rulebook import Clause


class HaggisError(Exception):
    """Base class of all errors: a stable code for programs and a sentence for people."""

    def __init__(self, code: str, detail: str) -> None:
        """Store the code and the sentence."""
        super().__init__(detail)
        self.code = code
        self.detail = detail


class Malformed(HaggisError, ValueError):
    """Input that makes no sense: an unknown card, a repeated card, an option that does not exist.

    `where` locates the invalid part, if possible.
    """

    def __init__(self, code: str, detail: str, *, where: str = "") -> None:
        """Store the error and its location."""
        super().__init__(code, detail)
        self.where = where


class Refused(HaggisError):
    """A well-formed action that the rules do not allow now; the state is unchanged.

    `rule` is the clause that forbids it; `readings` are the combinations that the cards form, if that helps.
    """

    def __init__(self, code: str, detail: str, *, rule: Clause, readings: tuple[object, ...] = ()) -> None:
        """Store the error, the clause and the readings."""
        super().__init__(code, detail)
        self.rule = rule
        self.readings = readings
