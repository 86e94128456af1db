"""Two ways for the engine to say no: what cannot be read is not the same as what breaks a rule."""

from engine.rulebook import Clause


class HaggisError(Exception):
    """What every refusal of the engine has: a stable code for programs, a sentence for people."""

    def __init__(self, code: str, detail: str) -> None:
        """Keep the code and the sentence."""
        super().__init__(detail)
        self.code = code
        self.detail = detail


class Malformed(HaggisError, ValueError):
    """Something that cannot be read at all: an unknown card, a card twice, an option that does not exist.

    `where` names the part that cannot be read, where there is one to name.
    """

    def __init__(self, code: str, detail: str, *, where: str = "") -> None:
        """Keep what is wrong and where."""
        super().__init__(code, detail)
        self.where = where


class Refused(HaggisError):
    """A true request that the rules do not allow now. Nothing has changed.

    `rule` is the clause that it breaks; `readings` are what the cards can be, where that helps.
    """

    def __init__(self, code: str, detail: str, *, rule: Clause, readings: tuple[object, ...] = ()) -> None:
        """Keep what is refused, and by which clause."""
        super().__init__(code, detail)
        self.rule = rule
        self.readings = readings
