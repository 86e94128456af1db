"""Secrets that are mailed: signed, for a day, and worth nothing once they were used."""

from typing import Final

from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.utils.http import base36_to_int, int_to_base36

from games.errors import Problem, invalid
from games.models import Player


class _EmailTokens(PasswordResetTokenGenerator):
    """Worth nothing once the address is confirmed or another one is given."""

    key_salt = "games.accounts.email"

    def _make_hash_value(self, user: Player, timestamp: int) -> str:
        return f"{user.pk}:{user.email}:{user.email_confirmed}:{timestamp}"


class _PasswordTokens(PasswordResetTokenGenerator):
    """Worth nothing once the password is changed, somebody has logged in, or the address is another."""

    key_salt = "games.accounts.password"


_EMAIL: Final = _EmailTokens()
_PASSWORD: Final = _PasswordTokens()


def email_token(player: Player) -> str:
    """Proof that a mail to the player's address was read."""
    return _written(player, _EMAIL)


def password_token(player: Player) -> str:
    """The right to choose a new password."""
    return _written(player, _PASSWORD)


def player_of_email_token(token: str) -> Player:
    """The player whose address this confirms."""
    return _player(token, _EMAIL)


def player_of_password_token(token: str) -> Player:
    """The player who may choose a new password with this."""
    return _player(token, _PASSWORD)


def _written(player: Player, tokens: PasswordResetTokenGenerator) -> str:
    return f"{int_to_base36(player.pk)}.{tokens.make_token(player)}"


def _player(text: str, tokens: PasswordResetTokenGenerator) -> Player:
    whose, _, token = text.partition(".")
    player = Player.objects.filter(pk=_number(whose), is_active=True).first()
    if player is None or not tokens.check_token(player, token):
        raise _refusal()
    return player


def _number(text: str) -> int:
    try:
        return base36_to_int(text)
    except ValueError as error:
        raise _refusal() from error


def _refusal() -> Problem:
    return invalid("/token", "invalid_token", "The token is not valid, or not any more.")
