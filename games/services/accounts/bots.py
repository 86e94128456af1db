"""Accounts for programs, each belonging to a person and holding a token of its own."""

from typing import Final

from django.db import IntegrityError, transaction

from games.errors import Problem
from games.models import Player, PlayerKind
from games.services.accounts.holding import hold
from games.services.accounts.names import check_username, tidy_display_name
from games.services.accounts.profile import delete_account
from games.services.accounts.tokens import NewToken, log_in_token, revoke_all

MOST_BOTS: Final = 20


def create_bot(*, owner: Player, username: str, display_name: str = "") -> NewToken:
    """Make an account for a program, with its token."""
    if owner.kind != PlayerKind.HUMAN:
        raise Problem("not_allowed", "Bots belong to people: claim your account first.")
    check_username(username)
    bot = Player(
        username=username, kind=PlayerKind.BOT, owner=owner, display_name=tidy_display_name(display_name)
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
    hold(owner)
    if owner.bots.count() >= MOST_BOTS:
        raise Problem("limit_reached", f"You have {MOST_BOTS} bots at most.")


def renew_bot_token(*, owner: Player, username: str) -> NewToken:
    """A new token for a bot; the ones that it had are taken away."""
    bot = _my_bot(owner, username)
    with transaction.atomic():
        revoke_all(player=bot)
        return log_in_token(player=bot, name="bot")


def delete_bot(*, owner: Player, username: str) -> None:
    """Let a bot go. Its matches stay."""
    delete_account(player=_my_bot(owner, username))


def _my_bot(owner: Player, username: str) -> Player:
    bot = owner.bots.filter(username__iexact=username, is_active=True).first()
    if bot is None:
        raise Problem("not_found")
    return bot
