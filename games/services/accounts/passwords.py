"""Passwords: what makes a good one, and changing it."""

from typing import Final

from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from games.errors import FIELD_CODES, FieldError, Problem, invalid
from games.models import Player
from games.models.token import TokenRow
from games.services.accounts.attempts import begin_attempt, end_attempts
from games.services.accounts.tokens import revoke_all

LONGEST_PASSWORD: Final = 256


def hashed_password(password: str, player: Player, pointer: str = "/password") -> str:
    """The password as it is stored; refused with all of its faults if it is too easy to guess."""
    try:
        validate_password(password, player)
    except ValidationError as error:
        faults = tuple(_fault(each, pointer) for each in error.error_list)
        raise Problem("validation_error", "The password is too easy to guess.", errors=faults) from error
    return make_password(password)


def _fault(error: ValidationError, pointer: str) -> FieldError:
    code = error.code if error.code in FIELD_CODES else "invalid"
    return FieldError(pointer, code or "invalid", " ".join(error.messages))


def change_password(
    *, player: Player, current_password: str, password: str, token: TokenRow, address: str
) -> None:
    """Take a new password from whoever knows the old one; every other token of the player is taken away."""
    begin_attempt(username=player.username, address=address)
    if not player.check_password(current_password):
        raise invalid("/current_password", "wrong_password", "That is not the password.")
    end_attempts(username=player.username, address=address)
    player.password = hashed_password(password, player)
    player.save(update_fields=["password"])
    revoke_all(player=player, but=token)
