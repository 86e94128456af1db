"""Stop and enable apps of third parties."""

from django.db import transaction

from games.identity.models import Player
from games.oauth import apps
from games.operators.models import OperatorActionType
from games.operators.services import record_action


@transaction.atomic
def stop_app(*, operator: Player, client_id: str, reason: str) -> None:
    """End everything that players have authorized an app to do, and let it ask nobody again."""
    app = apps.stop_app(client_id=client_id)
    record_action(
        operator=operator,
        action=OperatorActionType.STOP_APP,
        player=app.owner,
        reason=reason,
        details={"app": client_id},
    )


@transaction.atomic
def enable_app(*, operator: Player, client_id: str, reason: str) -> None:
    """Let a stopped app ask players again."""
    app = apps.enable_app(client_id=client_id)
    record_action(
        operator=operator,
        action=OperatorActionType.ENABLE_APP,
        player=app.owner,
        reason=reason,
        details={"app": client_id},
    )
