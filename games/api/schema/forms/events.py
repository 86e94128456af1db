"""What happens at all of a player's tables."""

from games.api.schema.fields import Form, list_of
from games.api.schema.forms.log import LogEntryForm
from games.api.shapes import Flag, Text, Whole


class PlayerEventForm(Form):
    """One entry of the log of a match at which you hold a seat, taken or offered."""

    cursor = Text(help_text="To go on right after this one.")
    match = Text(help_text="The id of the match.")
    my_seat = Whole(min_value=0, max_value=2, help_text="The seat that is yours, or offered to you.")
    my_turn = Flag(help_text="Whether you are to act after it.")
    entry = LogEntryForm()


class PlayerEventsForm(Form):
    """What happened at your tables, in the order in which it was written."""

    next = Text(allow_null=True, help_text="The address of what there is more just now.")
    previous = Text(allow_null=True, help_text="Always null: this is read forwards.")
    cursor = Text(help_text="To go on from here, as `after`, as soon as you like.")
    missed = Flag(
        help_text="Whether more was missed than is told again: look at your matches, and go on from `cursor`."
    )
    results = list_of(PlayerEventForm())
