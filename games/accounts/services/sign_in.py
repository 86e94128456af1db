"""Create guests, accounts and bots, and log in."""

from typing import Final

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.accounts.services.credentials import clear_attempts, hashed_password, record_attempt
from games.accounts.services.mails import Mail, send_on_commit
from games.accounts.services.profile import check_username, new_guest_name, normalise_display_name
from games.core.errors import Problem, require_found
from games.identity.models import ApiToken, Player, PlayerKind
from games.identity.queries import find_player
from games.identity.services import LIFETIME, NewToken, lock_player, lock_players, log_in_token, revoke_all

_MAX_NAME_ATTEMPTS: Final = 5


def create_guest(*, display_name: str = "") -> NewToken:
    """Create a guest with a random username and return a token for it."""
    name = normalise_display_name(display_name)
    for _ in range(_MAX_NAME_ATTEMPTS):
        guest = Player(username=new_guest_name(), kind=PlayerKind.GUEST, display_name=name)
        guest.set_unusable_password()
        try:
            with transaction.atomic():
                guest.save(force_insert=True)
                return log_in_token(player=guest)
        except IntegrityError:
            continue
    raise Problem("unavailable")


def register(*, username: str, password: str, email: str = "") -> NewToken:
    """Create an account and return its first token."""
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
    """Turn a guest into a registered account, keeping its matches and its tokens."""
    if guest.kind == PlayerKind.BOT:
        raise Problem("not_allowed")
    if guest.kind != PlayerKind.GUEST:
        raise Problem("already_claimed")
    check_username(username)
    _require_free_username(username)
    hashed = hashed_password(password, Player(username=username, email=email))
    try:
        with transaction.atomic():
            guest = _convert_guest(guest, username=username, password=hashed, email=email)
            ApiToken.objects.filter(user=guest).update(sliding=LIFETIME, expiry=timezone.now() + LIFETIME)
            if email:
                send_on_commit(kind=Mail.CONFIRM_EMAIL, player_id=guest.pk)
    except IntegrityError as error:
        raise Problem("username_taken") from error
    return guest


def _convert_guest(guest: Player, **changes: str) -> Player:
    """Convert the guest, or raise `already_claimed` if a concurrent request has converted it."""
    guest = lock_player(guest)
    if guest.kind != PlayerKind.GUEST:
        raise Problem("already_claimed")
    Player.objects.filter(pk=guest.pk).update(kind=PlayerKind.HUMAN, **changes)
    guest.refresh_from_db()
    return guest


def _require_free_username(username: str) -> None:
    """Refuse a taken username before hashing the password; the unique constraint stays authoritative."""
    if find_player(username) is not None:
        raise Problem("username_taken")


def log_in(*, username: str, password: str, address: str) -> NewToken:
    """Check a password and return a new token.

    An unknown username takes as long as a wrong password, so that timing does not reveal which accounts
    exist.
    """
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
    with transaction.atomic():
        current = lock_players([player.pk]).get(player.pk)
        if current is None or current.password != player.password:  # deleted, banned or changed meanwhile
            raise Problem("invalid_credentials")
        current.last_login = timezone.now()
        current.save(update_fields=["last_login"])
        return log_in_token(player=current)


MAX_BOTS: Final = 20


def create_bot(*, owner: Player, username: str, display_name: str = "") -> NewToken:
    """Create a bot account owned by a person and return its token."""
    if owner.kind != PlayerKind.HUMAN:
        raise Problem("not_allowed", "Only registered players can own bots. Claim your account first.")
    check_username(username)
    bot = Player(
        username=username, kind=PlayerKind.BOT, owner=owner, display_name=normalise_display_name(display_name)
    )
    bot.set_unusable_password()
    try:
        with transaction.atomic():
            _require_bot_quota(owner)
            bot.save(force_insert=True)
            return log_in_token(player=bot, name="bot")
    except IntegrityError as error:
        raise Problem("username_taken") from error


def _require_bot_quota(owner: Player) -> None:
    """Lock the owner and refuse if the maximum number of bots has been reached."""
    lock_player(owner)
    if owner.bots.count() >= MAX_BOTS:
        raise Problem("limit_reached", f"You can have at most {MAX_BOTS} bots.")


def renew_bot_token(*, owner: Player, username: str) -> NewToken:
    """Revoke all tokens of a bot and return a new one."""
    bot = get_own_bot(owner, username)
    with transaction.atomic():
        bot = lock_player(bot)
        revoke_all(player=bot)
        return log_in_token(player=bot, name="bot")


def get_own_bot(owner: Player, username: str) -> Player:
    """Return the active bot of this name that the player owns, or raise `not_found`."""
    return require_found(owner.bots.filter(username__iexact=username, is_active=True).first())
