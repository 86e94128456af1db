"""Looking at the hands of a running round: never by accident, and never without a trace."""

from typing import Any

from django.db import transaction

from games.errors import Problem
from games.gateway.views import open_hands_form
from games.matches.store import find_match
from games.models import OperatorDeed, Player
from games.selectors.table_form import PLAYED
from games.services.operators.recording import record_deed


@transaction.atomic
def reveal_hands(*, operator: Player, match_id: str, reason: str) -> dict[str, Any]:
    """Every hand as it is held now, and the haggis. That it was looked at, by whom and why, is kept."""
    row = find_match(match_id)
    if row is None:
        raise Problem("not_found")
    if row.status not in PLAYED:
        raise Problem("match_not_active")
    if row.held_by(operator) is not None:
        raise Problem("not_allowed", "Whoever plays in a match does not look into its hands.")
    record_deed(
        operator=operator,
        deed=OperatorDeed.REVEAL,
        match=row.id,
        reason=reason,
        details={"version": row.version, "round": row.round_number},
    )
    return open_hands_form(row.table())
