"""Addresses that are confirmed, and passwords that were forgotten."""

from games.models import Player, PlayerKind
from games.selectors.players import players_with_address
from games.services.accounts.mail_tokens import player_of_email_token, player_of_password_token
from games.services.accounts.mails import Mail, send_later
from games.services.accounts.passwords import hashed_password
from games.services.accounts.tokens import revoke_all


def ask_for_password_reset(*, username: str | None = None, email: str | None = None) -> None:
    """Mail a way to a new password to each account meant, where its address is confirmed."""
    for player in players_with_address(username=username, email=email):
        if player.kind == PlayerKind.HUMAN:
            send_later(kind=Mail.RESET_PASSWORD, player_id=player.pk)


def reset_password(*, token: str, password: str) -> None:
    """Take a new password from whoever read the mail; every token of the player is taken away."""
    player = player_of_password_token(token)
    player.password = hashed_password(password, player)
    player.save(update_fields=["password"])
    revoke_all(player=player)


def confirm_email(*, token: str) -> None:
    """Believe an address from now on."""
    player = player_of_email_token(token)
    Player.objects.filter(pk=player.pk, email=player.email).update(email_confirmed=True)
