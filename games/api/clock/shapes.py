"""The bodies of the clock."""

from games.api.shapes import Moment, Shape


class VacationShape(Shape):
    """`PUT /me/vacation`."""

    until = Moment(help_text="When it is over. A day that has begun counts as one.")
