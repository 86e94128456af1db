"""Create guests, accounts and bots, and log in."""

from typing import Final

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.accounts.services.credentials import clear_attempts, hashed_password, record_attempt
from games.accounts.services.mails import Mail, send_on_commit
from games.accounts.services.profile import check_username, new_guest_name, normalise_display_name
from games.core.errors import Problem
from games.identity.models import ApiToken, Player, PlayerKind
from games.identity.queries import find_player
from games.identity.services import LIFETIME, NewToken, lock_player, log_in_token, revoke_all

_TRIES: Final = 5


def create_guest(*, display_name: str = "") -> NewToken:
    """Play at once, under a name that is given."""
    shown = normalise_display_name(display_name)
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
    _require_free_username(username)
    player = Player(username=username, email=email)
    player.password = hashed_password(password, player)
    try:
        with transaction.atomic():
            player.save(force_insert=True)
            token = log_in_token(player=player)
            if email:
                send_on_commit(kind=Mail.CONFIRM_EMAIL, player_id=player.pk)
    except IntegrityError as error:
        raise Problem("username_taken") from error
    return token


def claim_account(*, guest: Player, username: str, password: str, email: str = "") -> Player:
    """Keep a guest's account, with its matches, under a name and a password. Its tokens stay."""
    if guest.kind == PlayerKind.BOT:
        raise Problem("not_allowed")
    if guest.kind != PlayerKind.GUEST:
        raise Problem("already_claimed")
    check_username(username)
    _require_free_username(username)
    guest.email = email
    secret = hashed_password(password, Player(username=username, email=email))
    try:
        with transaction.atomic():
            _convert_guest(guest, username=username, password=secret, email=email)
            ApiToken.objects.filter(user=guest).update(sliding=LIFETIME, expiry=timezone.now() + LIFETIME)
            if email:
                send_on_commit(kind=Mail.CONFIRM_EMAIL, player_id=guest.pk)
    except IntegrityError as error:
        raise Problem("username_taken") from error
    return guest


def _convert_guest(guest: Player, **changes: str) -> None:
    """Make a person of a guest, once."""
    guests = Player.objects.filter(pk=guest.pk, kind=PlayerKind.GUEST)
    if not guests.update(kind=PlayerKind.HUMAN, **changes):
        raise Problem("already_claimed")
    guest.refresh_from_db()


def _require_free_username(username: str) -> None:
    """Say so before a password is hashed in vain; the database has the last word."""
    if find_player(username) is not None:
        raise Problem("username_taken")


def log_in(*, username: str, password: str, address: str) -> NewToken:
    """A new token for whoever knows the password. It takes as long where there is no such account."""
    record_attempt(username=username, address=address)
    player = find_player(username)
    if player is None:
        make_password(password)
        raise Problem("invalid_credentials")
    if not player.check_password(password):
        raise Problem("invalid_credentials")
    if not player.is_active:
        raise Problem("account_banned")
    clear_attempts(username=username, address=address)
    player.last_login = timezone.now()
    player.save(update_fields=["last_login"])
    return log_in_token(player=player)


MAX_BOTS: Final = 20


def create_bot(*, owner: Player, username: str, display_name: str = "") -> NewToken:
    """Make an account for a program, with its token."""
    if owner.kind != PlayerKind.HUMAN:
        raise Problem("not_allowed", "Bots belong to people: claim your account first.")
    check_username(username)
    bot = Player(
        username=username, kind=PlayerKind.BOT, owner=owner, display_name=normalise_display_name(display_name)
    )
    bot.set_unusable_password()
    try:
        with transaction.atomic():
            _refuse_too_many(owner)
            bot.save(force_insert=True)
            return log_in_token(player=bot, name="bot")
    except IntegrityError as error:
        raise Problem("username_taken") from error


def _refuse_too_many(owner: Player) -> None:
    lock_player(owner)
    if owner.bots.count() >= MAX_BOTS:
        raise Problem("limit_reached", f"You have {MAX_BOTS} bots at most.")


def renew_bot_token(*, owner: Player, username: str) -> NewToken:
    """A new token for a bot; the ones that it had are taken away."""
    bot = _my_bot(owner, username)
    with transaction.atomic():
        revoke_all(player=bot)
        return log_in_token(player=bot, name="bot")


def _my_bot(owner: Player, username: str) -> Player:
    bot = owner.bots.filter(username__iexact=username, is_active=True).first()
    if bot is None:
        raise Problem("not_found")
    return bot
