"""Build and send notification mails, and unsubscribe from them."""

import hashlib
import logging
import secrets
from collections.abc import Iterable, Sequence
from datetime import timedelta
from email.utils import parseaddr
from itertools import groupby
from typing import Final

from django.conf import settings
from django.core import mail, signing
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models.functions import Now
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.accounts.services.mails import claim_notice_mail
from games.core.errors import Problem, invalid_field
from games.core.languages import message, speaking
from games.identity.models import Player
from games.identity.services import lock_player, lock_players
from games.matches.models.log import MAIL_CHANNELS, NoticeChannel, NoticeKind
from games.notifications.models import Notice, NoticeResult
from games.notifications.outbox import (
    NoticeContent,
    claim_notices,
    current_content,
    delete_notices,
    failure_result,
    format_deadline,
    format_result,
    format_subject,
    join_names,
    postpone,
    record_attempts,
    retry_later,
)

BATCH_SIZE: Final = 200
LEASE: Final = timedelta(minutes=5)
# Retry for about three days with exponential backoff if the mail server is unavailable.
RETRY_DELAYS: Final = tuple(timedelta(minutes=5 * 2**number) for number in range(10))

# What a test mail is about, instead of the id of a match.
_TEST_SUBJECT_ID: Final = "email"

logger = logging.getLogger(__name__)


def send_due_mails(*, at_most: int = BATCH_SIZE) -> int:
    """Send mails for due notices, one for each player and channel, and return their number.

    If a sender dies, its notices become due again when their lease expires.
    """
    claimed = claim_notices(MAIL_CHANNELS, at_most=at_most, lease=LEASE)
    by_mail = groupby(claimed, key=lambda notice: (notice.player_id, notice.way))
    return sum(_send_mail(list(notices)) for _, notices in by_mail)


def _send_mail(notices: list[Notice]) -> bool:
    """Send one mail about the notices of one player. Return whether a mail was sent."""
    player = notices[0].player
    reachable = player.is_active and player.email_confirmed and bool(player.email)
    contents = _current_contents(notices) if reachable else []
    if not contents:
        delete_notices(notices)
        return False
    wait = claim_notice_mail(player=player)
    if wait:
        postpone(notices, wait)
        return False
    way = NoticeChannel(notices[0].way)
    tag = " ".join(f"{notice.pk}/{notice.version}" for notice in notices)
    try:
        with speaking(player.language):
            composed = build_mail(player, way, contents, tag=tag)
        mail.get_connection().send_messages([composed])
    except OSError as error:  # the base class of the exceptions of smtplib
        logger.warning("cannot send a mail (%s), will retry", type(error).__name__)
        for notice in notices:
            record_attempts([notice], failure_result(notice, RETRY_DELAYS))
            retry_later(notice, RETRY_DELAYS)
        return False
    record_attempts(notices, NoticeResult.SENT)
    delete_notices(notices)
    return True


def send_test(*, player: Player) -> Player:
    """Queue a test mail to the confirmed address of a player."""
    # A random version, so that a sender that finishes an earlier test does not delete this notice.
    version = secrets.randbelow(2**31)
    with transaction.atomic():
        player = lock_player(player)
        if not player.email_confirmed or not player.email:
            raise Problem("email_not_confirmed")
        Notice.objects.update_or_create(
            player=player,
            kind=NoticeKind.TEST,
            way=NoticeChannel.EMAIL,
            about=_TEST_SUBJECT_ID,
            defaults={"version": version, "due_at": Now(), "tried": 0},
        )
    return player


def _current_contents(notices: Sequence[Notice]) -> list[NoticeContent]:
    with speaking(notices[0].player.language):
        return [content for each in notices if (content := current_content(each, each.player)) is not None]


_LINES: Final = {
    NoticeKind.INVITATION: _("You are invited to a match ({ruleset}) with {others}.\n{link}"),
    NoticeKind.YOUR_TURN: _("It is your turn against {others} ({ruleset}){deadline}.\n{link}"),
    NoticeKind.REMINDER: _("It is still your turn against {others} ({ruleset}){deadline}.\n{link}"),
    NoticeKind.CARETAKER: _(
        "An AI is playing for you against {others} ({ruleset}). "
        "You can take your seat back at any time:\n{link}"
    ),
    NoticeKind.MATCH_END: _("Your match against {others} ({ruleset}) is over: {result}.\n{link}"),
    NoticeKind.WEBHOOK_STOPPED: _(
        "Your webhook {about} did not accept our deliveries, so we have stopped sending to it:\n{url}\n"
        "When it works again, reactivate it: PATCH /api/v1/me/webhooks/{about} with active: true."
    ),
    NoticeKind.TEST: _("You asked for this mail on your account page. Mails of Haggis reach this address."),
}
_GREETING: Final = _("Hello {username},")
_UNSUBSCRIBE_FOOTER: Final = _(
    "You receive this mail because of your notification settings. To unsubscribe:\n{unsubscribe}"
)
_UNSUBSCRIBABLE_KINDS: Final = frozenset(NoticeKind) - {NoticeKind.WEBHOOK_STOPPED, NoticeKind.TEST}


def build_mail(
    player: Player, way: NoticeChannel, contents: Sequence[NoticeContent], *, tag: str
) -> EmailMessage:
    """Build a mail. The `Message-ID` derives from the tag, so that mail servers recognise a duplicate."""
    body = f"{_GREETING.format(username=player.username)}\n\n"
    body += "\n\n".join(_format_line(content, player) for content in contents) + "\n"
    headers = {"Message-ID": _message_id(tag), "Auto-Submitted": "auto-generated"}
    kinds = sorted({content.kind for content in contents} & _UNSUBSCRIBABLE_KINDS)
    if kinds:
        unsubscribe = f"{settings.HAGGIS_SITE_ADDRESS}/unsubscribe?token={unsubscribe_token(player, kinds)}"
        body += f"\n-- \n{_UNSUBSCRIBE_FOOTER.format(unsubscribe=unsubscribe)}\n"
        headers["List-Unsubscribe"] = f"<{unsubscribe}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return EmailMessage(_mail_subject(way, contents), body, None, [player.email], headers=headers)


def _mail_subject(way: NoticeChannel, contents: Sequence[NoticeContent]) -> str:
    if way == NoticeChannel.DIGEST:
        return gettext("Haggis today: {counts}").format(counts=_format_counts(contents))
    if len(contents) > 1:
        return f"Haggis: {_format_counts(contents)}"
    [content] = contents
    if content.kind == NoticeKind.TEST:
        return gettext("Test mail of Haggis")
    return format_subject(content)


def _format_counts(contents: Sequence[NoticeContent]) -> str:
    turns = sum(content.kind in {NoticeKind.YOUR_TURN, NoticeKind.REMINDER} for content in contents)
    others = len(contents) - turns
    parts = []
    if turns:
        parts.append(ngettext("{count} turn to play", "{count} turns to play", turns).format(count=turns))
    if others:
        parts.append(ngettext("{count} update", "{count} updates", others).format(count=others))
    return join_names(parts)


def _format_line(content: NoticeContent, player: Player) -> str:
    if content.sentence:
        return f"{content.sentence}\n{settings.HAGGIS_SITE_ADDRESS}{content.path}"
    return _LINES[content.kind].format(
        others=join_names(content.others),
        ruleset=content.ruleset,
        deadline=format_deadline(content, player),
        result=format_result(content),
        link=f"{settings.HAGGIS_SITE_ADDRESS}/matches/{content.about}",
        about=content.about,
        url=content.url,
    )


def _message_id(tag: str) -> str:
    _, sender = parseaddr(settings.DEFAULT_FROM_EMAIL)
    return f"<{hashlib.sha256(tag.encode()).hexdigest()[:32]}@{sender.rpartition('@')[2]}>"


_SIGNER: Final = signing.Signer(salt="games.notices.unsubscribe")


def unsubscribe_token(player: Player, kinds: Iterable[str]) -> str:
    """Return a signed token that unsubscribes this player from mails of these kinds."""
    return _SIGNER.sign_object([player.pk, sorted(kinds)])


def parse_unsubscribe_token(token: str) -> list[NoticeKind]:
    """Return the kinds of a token, or raise if its signature is invalid."""
    return _parse_token(token)[1]


def unsubscribe(*, token: str, everything: bool = False) -> None:
    """Unsubscribe from mails and digests of these kinds, or of all kinds. It is idempotent."""
    player_id, kinds = _parse_token(token)
    with transaction.atomic():
        player = lock_players([player_id]).get(player_id)
        if player is None:
            return
        unwanted = frozenset(NoticeKind) if everything else frozenset(kinds)
        for way in MAIL_CHANNELS:
            if way in player.notifications:
                remaining = [kind for kind in player.notifications[way] if kind not in unwanted]
                player.notifications[way.value] = remaining
        player.save(update_fields=["notifications"])


def _parse_token(token: str) -> tuple[int, list[NoticeKind]]:
    try:
        player_id, kinds = _SIGNER.unsign_object(token)
        return player_id, [NoticeKind(kind) for kind in kinds]
    except (signing.BadSignature, ValueError, TypeError) as error:
        raise _invalid_token() from error


def _invalid_token() -> Problem:
    return invalid_field(
        "/token", "invalid_token", message("The link is not valid. Use the link of a recent mail.")
    )
