"""Roles: which of the people who run the service may do what."""

from enum import StrEnum
from typing import Final

from django.contrib.auth.models import Group, Permission
from django.db import transaction

from games.errors import Problem
from games.models import OperatorAction, OperatorDeed, Player, PlayerKind
from games.services.operators.recording import record_deed


class Role(StrEnum):
    """Moderators look after people, operators after matches as well."""

    MODERATOR = "moderator"
    OPERATOR = "operator"


_LOOKING: Final = ("view_match", "view_player", "view_operatoraction", "view_webhook", "view_delivery")
PERMISSIONS: Final = {
    Role.MODERATOR: (*_LOOKING, "moderate_players"),
    Role.OPERATOR: (*_LOOKING, "moderate_players", "operate_matches", "reveal_hands"),
}


@transaction.atomic
def appoint(*, player: Player, role: Role, reason: str, operator: Player | None = None) -> OperatorAction:
    """Let a player into the admin, in this role and in no other."""
    if player.kind != PlayerKind.HUMAN or not player.is_active:
        raise Problem("not_allowed", "Only people with an account of their own help to run the service.")
    player.groups.set([_group(role)])
    _set_staff(player, is_staff=True)
    return record_deed(
        operator=operator, deed=OperatorDeed.APPOINT, player=player, reason=reason, details={"role": role}
    )


@transaction.atomic
def dismiss(*, player: Player, reason: str, operator: Player | None = None) -> OperatorAction:
    """Let a player out of the admin again."""
    player.groups.clear()
    _set_staff(player, is_staff=False)
    return record_deed(operator=operator, deed=OperatorDeed.DISMISS, player=player, reason=reason)


def _group(role: Role) -> Group:
    """The group of a role, with its permissions as they are named here."""
    group, _ = Group.objects.get_or_create(name=role.value)
    group.permissions.set(
        Permission.objects.filter(content_type__app_label="games", codename__in=PERMISSIONS[role])
    )
    return group


def _set_staff(player: Player, *, is_staff: bool) -> None:
    player.is_staff = is_staff
    player.save(update_fields=["is_staff"])
