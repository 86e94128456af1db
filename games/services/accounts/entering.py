"""Ways in: as a guest, with a new account, with a guest's account that is kept, with a password."""

from typing import Final

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.errors import Problem
from games.models import ApiToken, Player, PlayerKind
from games.selectors.players import find_player
from games.services.accounts.attempts import begin_attempt, end_attempts
from games.services.accounts.mails import Mail, send_later
from games.services.accounts.names import check_username, new_guest_name, tidy_display_name
from games.services.accounts.passwords import hashed_password
from games.services.accounts.tokens import LIFETIME, NewToken, log_in_token

_TRIES: Final = 5


def enter_as_guest(*, display_name: str = "") -> NewToken:
    """Play at once, under a name that is given."""
    shown = tidy_display_name(display_name)
    for _ in range(_TRIES):
        guest = Player(username=new_guest_name(), kind=PlayerKind.GUEST, display_name=shown)
        guest.set_unusable_password()
        try:
            with transaction.atomic():
                guest.save(force_insert=True)
                return log_in_token(player=guest)
        except IntegrityError:
            continue
    raise Problem("unavailable")


def register(*, username: str, password: str, email: str = "") -> NewToken:
    """Make an account, and log in to it."""
    check_username(username)
    _refuse_taken(username)
    player = Player(username=username, email=email)
    player.password = hashed_password(password, player)
    try:
        with transaction.atomic():
            player.save(force_insert=True)
            token = log_in_token(player=player)
            if email:
                send_later(kind=Mail.CONFIRM_EMAIL, player_id=player.pk)
    except IntegrityError as error:
        raise Problem("username_taken") from error
    return token


def claim(*, guest: Player, username: str, password: str, email: str = "") -> Player:
    """Keep a guest's account, with its matches, under a name and a password. Its tokens stay."""
    if guest.kind == PlayerKind.BOT:
        raise Problem("not_allowed")
    if guest.kind != PlayerKind.GUEST:
        raise Problem("already_claimed")
    check_username(username)
    _refuse_taken(username)
    guest.email = email
    secret = hashed_password(password, Player(username=username, email=email))
    try:
        with transaction.atomic():
            _become(guest, username=username, password=secret, email=email)
            ApiToken.objects.filter(user=guest).update(sliding=LIFETIME, expiry=timezone.now() + LIFETIME)
            if email:
                send_later(kind=Mail.CONFIRM_EMAIL, player_id=guest.pk)
    except IntegrityError as error:
        raise Problem("username_taken") from error
    return guest


def _become(guest: Player, **changes: str) -> None:
    """Make a person of a guest, once."""
    guests = Player.objects.filter(pk=guest.pk, kind=PlayerKind.GUEST)
    if not guests.update(kind=PlayerKind.HUMAN, **changes):
        raise Problem("already_claimed")
    guest.refresh_from_db()


def _refuse_taken(username: str) -> None:
    """Say so before a password is hashed in vain; the database has the last word."""
    if find_player(username) is not None:
        raise Problem("username_taken")


def log_in(*, username: str, password: str, address: str) -> NewToken:
    """A new token for whoever knows the password. It takes as long where there is no such account."""
    begin_attempt(username=username, address=address)
    player = find_player(username)
    if player is None:
        make_password(password)
        raise Problem("invalid_credentials")
    if not player.check_password(password):
        raise Problem("invalid_credentials")
    if not player.is_active:
        raise Problem("account_banned")
    end_attempts(username=username, address=address)
    player.last_login = timezone.now()
    player.save(update_fields=["last_login"])
    return log_in_token(player=player)
