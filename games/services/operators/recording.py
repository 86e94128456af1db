"""A deed of an operator is kept in the transaction in which it is done."""

from typing import Any

from games.errors import invalid
from games.models import OperatorAction, OperatorDeed, Player
from games.models.operator_action import LONGEST_REASON


def record_deed(
    *,
    operator: Player | None,
    deed: OperatorDeed,
    reason: str,
    match: str | None = None,
    player: Player | None = None,
    details: dict[str, Any] | None = None,
) -> OperatorAction:
    """Keep what an operator does; refused without a reason. No operator: a command on the machine itself."""
    return OperatorAction.objects.create(
        operator=operator,
        deed=deed,
        match_id=match,
        player=player,
        reason=stated(reason),
        details=details or {},
    )


def stated(reason: str) -> str:
    """The reason, tidied; refused where there is none."""
    tidy = " ".join(reason.split())
    if not tidy:
        raise invalid("/reason", "blank", "Say why: players may ask.")
    if len(tidy) > LONGEST_REASON:
        raise invalid("/reason", "too_long", f"At most {LONGEST_REASON} characters.")
    return tidy
