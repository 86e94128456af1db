"""Create guests, accounts and bots, and log in."""

from datetime import datetime
from typing import Final

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.accounts.models import SecurityEventKind
from games.accounts.services.addresses import require_unblocked
from games.accounts.services.attempts import clear_attempts, device_name, record_attempt, remember_device
from games.accounts.services.credentials import hashed_password
from games.accounts.services.mails import Mail, claim_confirmation_mail, send_on_commit
from games.accounts.services.names import check_username, new_guest_name, validated_display_name
from games.accounts.services.second_factor import require_code
from games.accounts.services.security import record_security_event
from games.core.addresses import Source
from games.core.errors import Problem, invalid_field, require_found
from games.core.languages import message
from games.identity.models import ApiToken, Player, PlayerKind, TokenRow
from games.identity.queries import find_player
from games.identity.services import (
    CLAIM_FIRST,
    LIFETIME,
    LOG_IN_FIRST,
    NewToken,
    is_session,
    lock_player,
    lock_players,
    log_in_token,
    refresh_session,
    require_not_suspended,
    revoke_all,
)

_MAX_NAME_ATTEMPTS: Final = 5


def create_guest(*, source: Source | None = None, display_name: str = "", language: str = "") -> NewToken:
    """Create a guest with a random username and return a token for it.

    Raise `address_blocked` for a while after the ban of another guest from the same address.
    """
    if source is not None:
        require_unblocked(address=source.address)
    name = validated_display_name(display_name, None)
    for _ in range(_MAX_NAME_ATTEMPTS):
        guest = Player(username=new_guest_name(), kind=PlayerKind.GUEST, display_name=name, language=language)
        guest.set_unusable_password()
        try:
            with transaction.atomic():
                guest.save(force_insert=True)
                if source is not None:
                    remember_device(player=guest, source=source)
                return log_in_token(player=guest, user_agent="" if source is None else source.user_agent)
        except IntegrityError:
            continue
    raise Problem("unavailable")


def register(
    *, username: str, password: str, email: str = "", source: Source, language: str = ""
) -> NewToken:
    """Create an account and return its first token."""
    check_username(username)
    _require_free_username(username)
    player = Player(username=username, email=email, language=language)
    player.password = hashed_password(password, player)
    confirms = bool(email) and claim_confirmation_mail(player=None, email=email, source=source.address)
    try:
        with transaction.atomic():
            player.save(force_insert=True)
            token = log_in_token(player=player, user_agent=source.user_agent)
            remember_device(player=player, source=source)
            if confirms:
                send_on_commit(kind=Mail.CONFIRM_EMAIL, about=player.pk)
    except IntegrityError as error:
        raise Problem("username_taken") from error
    return token


def claim_account(
    *, guest: Player, token: TokenRow, username: str, password: str, source: Source, email: str = ""
) -> Player:
    """Turn a guest into a registered account, keeping its matches and its tokens.

    A token for a program may not do this: it could take the account over.
    """
    if guest.kind == PlayerKind.BOT:
        raise Problem("not_allowed")
    if guest.kind != PlayerKind.GUEST:
        raise Problem("already_claimed")
    check_username(username)
    _require_free_username(username)
    if not is_session(token=token):
        raise Problem("reauthentication_required", message("Use the token that the guest got first."))
    hashed = hashed_password(password, Player(username=username, email=email))
    confirms = bool(email) and claim_confirmation_mail(player=guest, email=email, source=source.address)
    try:
        with transaction.atomic():
            guest = _convert_guest(guest, username=username, password=hashed, email=email)
            sessions = ApiToken.objects.filter(user=guest, session=True)  # others keep their own expiry
            sessions.update(sliding=LIFETIME, expiry=timezone.now() + LIFETIME)
            refresh_session(token=token)
            remember_device(player=guest, source=source)
            if confirms:
                send_on_commit(kind=Mail.CONFIRM_EMAIL, about=guest.pk)
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


def log_in(*, username: str, password: str, source: Source, code: str | None = None) -> NewToken:
    """Check a password, and a code if the account has a second factor, and return a new token."""
    player = _check_credentials(username=username, password=password, code=code, source=source)
    with transaction.atomic():
        current = _record_log_in(player, source)
        return log_in_token(player=current, user_agent=source.user_agent)


def authenticate_player(*, username: str, password: str, code: str | None, source: Source) -> Player:
    """Return the player who logs in to the admin, which has sessions of its own."""
    player = _check_credentials(username=username, password=password, code=code, source=source)
    with transaction.atomic():
        return _record_log_in(player, source)


def _check_credentials(*, username: str, password: str, code: str | None, source: Source) -> Player:
    player = verify_password(username=username, password=password, address=source.address)
    if not player.is_active:
        raise Problem("account_banned")
    require_not_suspended(player)
    require_code(player=player, code=code, address=source.address)
    return player


def _record_log_in(player: Player, source: Source) -> Player:
    """Lock a player whose password was checked, and report a new device to the owner."""
    current = lock_players([player.pk]).get(player.pk)
    if current is None or current.password != player.password:  # deleted, banned or changed meanwhile
        raise Problem("invalid_credentials")
    require_not_suspended(current)
    current.last_login = timezone.now()
    current.save(update_fields=["last_login"])
    _remember_and_report_device(current, source)
    return current


def _remember_and_report_device(player: Player, source: Source) -> None:
    if remember_device(player=player, source=source):
        device = device_name(source.user_agent)
        record_security_event(player=player, kind=SecurityEventKind.NEW_DEVICE, device=device)


def verify_password(*, username: str, password: str, address: str) -> Player:
    """Return the player with this name and password, or raise `invalid_credentials`.

    An unknown username takes as many queries and hashes as a wrong password, so that timing does not reveal
    which accounts exist.
    """
    attempt = record_attempt(username=username, address=address)
    player = find_player(username)
    if player is None:
        make_password(password)
        raise attempt.failure("invalid_credentials")
    if not player.check_password(password):
        raise attempt.failure("invalid_credentials")
    clear_attempts(attempt)
    return player


def reauthenticate(
    *, player: Player, token: TokenRow, password: str, source: Source, code: str | None = None
) -> datetime:
    """Make a session fresh, given the password, and return until when it is."""
    if not player.has_usable_password():
        is_guest = player.kind == PlayerKind.GUEST
        raise Problem("not_allowed", CLAIM_FIRST if is_guest else message("This account has no password."))
    if not is_session(token=token):
        raise Problem("not_allowed", LOG_IN_FIRST)
    try:
        verify_password(username=player.username, password=password, address=source.address)
    except Problem as problem:
        if problem.code != "invalid_credentials":
            raise
        raise invalid_field(
            "/password", "wrong_password", message("The password is not correct.")
        ) from problem
    require_code(player=player, code=code, address=source.address)
    with transaction.atomic():
        _remember_and_report_device(lock_player(player), source)
        return refresh_session(token=token)


MAX_BOTS: Final = 20


def create_bot(*, owner: Player, username: str, display_name: str = "") -> NewToken:
    """Create a bot account owned by a person and return its token."""
    if owner.kind != PlayerKind.HUMAN:
        raise Problem(
            "not_allowed", message("Only registered players can own bots. Claim your account first.")
        )
    check_username(username)
    bot = Player(
        username=username,
        kind=PlayerKind.BOT,
        owner=owner,
        display_name=validated_display_name(display_name, None),
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
        raise Problem("limit_reached", message("You can have at most {most} bots.", most=MAX_BOTS))


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
