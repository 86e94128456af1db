"""Define the errors of the engine: malformed input, and actions that break a rule."""

from engine.rulebook import Clause


class HaggisError(Exception):
    """Base class of all errors: a stable code for programs and a sentence for people.

    The sentence may have placeholders, which `values` fill in; `template` is the sentence without them, so
    that it can be translated.

    >>> HaggisError("too_long", "At most {most} cards.", most=8).detail
    'At most 8 cards.'
    """

    def __init__(self, code: str, detail: str, **values: object) -> None:
        """Store the code and the sentence."""
        sentence = detail.format(**values) if values else detail
        super().__init__(sentence)
        self.code = code
        self.detail = sentence
        self.template = detail
        self.values = values


class Malformed(HaggisError, ValueError):
    """Input that makes no sense: an unknown card, a repeated card, an option that does not exist.

    `where` locates the invalid part, if possible.
    """

    def __init__(self, code: str, detail: str, *, where: str = "", **values: object) -> None:
        """Store the error and its location."""
        super().__init__(code, detail, **values)
        self.where = where


class Refused(HaggisError):
    """A well-formed action that the rules do not allow now; the state is unchanged.

    `rule` is the clause that forbids it; `readings` are the combinations that the cards form, if that helps.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        rule: Clause,
        readings: tuple[object, ...] = (),
        **values: object,
    ) -> None:
        """Store the error, the clause and the readings."""
        super().__init__(code, detail, **values)
        self.rule = rule
        self.readings = readings
