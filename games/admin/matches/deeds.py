"""What may be done with a match, when, by whom, and what has to be said for it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from django import forms
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminSelectWidget

from games.admin.reasons import ReasonForm
from games.matches.store import MatchRow
from games.models import MatchStatus, Player
from games.services.operators import matches as services

_DAY: Final = 24 * 3600
_MOST_EXTENSION: Final = 30 * _DAY


class DeedForm(ReasonForm):
    """Why it is done to this match."""

    def __init__(self, row: MatchRow, *args: Any, **parts: Any) -> None:  # noqa: ANN401 -- as Django's forms
        super().__init__(*args, **parts)
        self.row = row


class ExtendForm(DeedForm):
    """Why, and by how much."""

    seconds = forms.IntegerField(
        min_value=60, max_value=_MOST_EXTENSION, initial=_DAY, widget=UnfoldAdminIntegerFieldWidget
    )


class ReplaceForm(DeedForm):
    """Why, and whose seat."""

    seat = forms.TypedChoiceField(coerce=int, widget=UnfoldAdminSelectWidget)

    def __init__(self, row: MatchRow, *args: Any, **parts: Any) -> None:  # noqa: ANN401 -- as above
        super().__init__(row, *args, **parts)
        held = [seat for seat in row.seats if seat.username and not seat.is_automatic]
        seats: Any = self.fields["seat"]
        seats.choices = [(seat.number, f"{seat.number}: {seat.username}") for seat in held]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """One thing that may be done. `does` says to the operator what will happen."""

    key: str
    label: str
    does: str
    statuses: frozenset[str]
    act: Callable[..., None]
    form: type[DeedForm] = DeedForm
    final: bool = False
    permission: str = field(default="games.operate_matches")

    def is_for(self, row: MatchRow, operator: Player) -> bool:
        """Whether this operator may do it to this match now."""
        return row.status in self.statuses and operator.has_perm(self.permission)


_ACTIVE: Final = frozenset({MatchStatus.ACTIVE})
_PLAYED: Final = frozenset({MatchStatus.ACTIVE, MatchStatus.PAUSED})

DEEDS: Final = {
    each.key: each
    for each in (
        Deed(
            key="cancel",
            label="Cancel",
            does="A match that has not begun is called off.",
            statuses=frozenset({MatchStatus.OPEN}),
            act=services.cancel_unbegun,
            final=True,
        ),
        Deed(
            key="pause",
            label="Pause",
            does="The clock stands still until somebody resumes the match, or the pause has lasted too long.",
            statuses=_ACTIVE,
            act=services.pause_match,
        ),
        Deed(
            key="resume",
            label="Resume",
            does="A paused match goes on; the turn has what was left of it.",
            statuses=frozenset({MatchStatus.PAUSED}),
            act=services.resume_match,
        ),
        Deed(
            key="extend",
            label="Extend",
            does="Whoever is to act has so much more time.",
            statuses=_ACTIVE,
            act=services.extend_turn,
            form=ExtendForm,
        ),
        Deed(
            key="replace",
            label="Replace a seat",
            does="A caretaker plays for somebody, who can take the seat back.",
            statuses=_PLAYED,
            act=services.replace_seat,
            form=ReplaceForm,
        ),
        Deed(
            key="annul",
            label="Annul",
            does="The match ends without a winner; the round that runs is laid open and not scored.",
            statuses=_PLAYED,
            act=services.annul_match,
            final=True,
        ),
    )
}
