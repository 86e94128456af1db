"""Usual clocks, pauses and vacations."""

from games.api.schema.fields import Form, enumeration, list_of
from games.api.shapes import Flag, Moment, Text, Whole

clock_kind = enumeration("ClockKind", ("correspondence", "live"), "How a match by such a clock is played.")


class UsualClockForm(Form):
    """A clock that people usually play by."""

    key = Text(help_text="What it is called here; a match is made with its seconds.")
    title = Text()
    kind = clock_kind()
    turn_seconds = Whole(min_value=1, help_text="Time for each turn.")
    time_bank_seconds = Whole(min_value=0, help_text="Time on top for each seat, once a match.")


class PauseForm(Form):
    """A pause, or that somebody wants one."""

    paused = Flag(help_text="Whether the match stands still now.")
    asked_by = list_of(
        Whole(min_value=0, max_value=2),
        help_text="The seats that want a pause, or during one want to play on.",
    )
    until = Moment(allow_null=True, help_text="When it goes on by itself; null while nobody but asks.")


class VacationForm(Form):
    """One's own vacation."""

    since = Moment(allow_null=True, help_text="Null where one is not away.")
    until = Moment(allow_null=True)
    days_left = Whole(min_value=0, help_text="How many days are left this year, this vacation not counted.")
