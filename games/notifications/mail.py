"""Build and send notification mails, and unsubscribe from them."""

import hashlib
import logging
from collections.abc import Iterable, Sequence
from datetime import timedelta
from email.utils import parseaddr
from itertools import groupby
from typing import Final

from django.conf import settings
from django.core import mail, signing
from django.core.mail import EmailMessage
from django.db import transaction

from games.core.errors import Problem, invalid_field
from games.identity.models import Player
from games.matches.models.log import MAIL_CHANNELS, NoticeChannel, NoticeKind
from games.notifications.models import Notice
from games.notifications.outbox import (
    NoticeContent,
    claim_notices,
    current_content,
    delete_notices,
    join_names,
    result,
    retry_later,
    subject,
    until,
)

AT_ONCE: Final = 200
LEASE: Final = timedelta(minutes=5)
# A mail server that is away is asked again, less and less often, for about three days.
WAITS: Final = tuple(timedelta(minutes=5 * 2**number) for number in range(10))

logger = logging.getLogger(__name__)


def send_due_mails(*, at_most: int = AT_ONCE) -> int:
    """Send mails for what is due; how many. What a dead sender had in hand is found again after a while."""
    claimed = claim_notices(MAIL_CHANNELS, at_most=at_most, lease=LEASE)
    by_mail = groupby(claimed, key=lambda notice: (notice.player_id, notice.way))
    return sum(_send_mail(list(notices)) for _, notices in by_mail)


def _send_mail(notices: list[Notice]) -> bool:
    """Send one mail about these, all of one player; False if there is nothing to say or nobody to take it."""
    player = notices[0].player
    reached = player.is_active and player.email_confirmed and bool(player.email)
    facts = _facts(notices) if reached else []
    if not facts:
        delete_notices(notices)
        return False
    way = NoticeChannel(notices[0].way)
    tag = " ".join(f"{notice.pk}/{notice.version}" for notice in notices)
    try:
        mail.get_connection().send_messages([build_mail(player, way, facts, tag=tag)])
    except OSError as error:  # of smtplib too
        logger.warning("a mail could not be sent (%s)", type(error).__name__)
        for notice in notices:
            retry_later(notice, WAITS)
        return False
    delete_notices(notices)
    return True


def _facts(notices: Iterable[Notice]) -> list[NoticeContent]:
    return [fact for notice in notices if (fact := current_content(notice, notice.player)) is not None]


_LINES: Final = {
    NoticeKind.INVITATION: "You are asked to a match ({ruleset}) with {others}.\n{link}",
    NoticeKind.YOUR_TURN: "It is your turn against {others} ({ruleset}){until}.\n{link}",
    NoticeKind.REMINDER: "It is still your turn against {others} ({ruleset}){until}.\n{link}",
    NoticeKind.CARETAKER: (
        "An AI plays on for you against {others} ({ruleset}). Take your seat back whenever you like:\n{link}"
    ),
    NoticeKind.MATCH_END: "Your match against {others} ({ruleset}) is over: {result}.\n{link}",
    NoticeKind.WEBHOOK_STOPPED: (
        "Your endpoint {about} has taken nothing for days, so nothing more is sent to it:\n{address}\n"
        "Once it answers again, make it active: PATCH /api/v1/me/webhooks/{about} with active: true."
    ),
}
_GREETING: Final = "Hello {username},\n\n"
_UNSUBSCRIBE_FOOTER: Final = (
    "\n-- \nYou asked Haggis for these mails. To have no more of this kind:\n{unsubscribe}\n"
)
_UNSUBSCRIBABLE_KINDS: Final = frozenset(NoticeKind) - {NoticeKind.WEBHOOK_STOPPED, NoticeKind.TEST}


def build_mail(
    player: Player, way: NoticeChannel, facts: Sequence[NoticeContent], *, tag: str
) -> EmailMessage:
    """The mail that tells these facts; the same tag makes it known as the same mail, should it come twice."""
    body = _GREETING.format(username=player.username)
    body += "\n\n".join(_line(fact, player) for fact in facts) + "\n"
    headers = {"Message-ID": _message_id(tag), "Auto-Submitted": "auto-generated"}
    kinds = sorted({fact.kind for fact in facts} & _UNSUBSCRIBABLE_KINDS)
    if kinds:
        unsubscribe = f"{settings.HAGGIS_SITE_ADDRESS}/unsubscribe?token={unsubscribe_token(player, kinds)}"
        body += _UNSUBSCRIBE_FOOTER.format(unsubscribe=unsubscribe)
        headers["List-Unsubscribe"] = f"<{unsubscribe}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return EmailMessage(_subject(way, facts), body, None, [player.email], headers=headers)


def _subject(way: NoticeChannel, facts: Sequence[NoticeContent]) -> str:
    if way == NoticeChannel.DIGEST:
        return f"Haggis today: {_count(facts)}"
    if len(facts) > 1:
        return f"Haggis: {_count(facts)}"
    [fact] = facts
    return subject(fact)


def _count(facts: Sequence[NoticeContent]) -> str:
    turns = sum(fact.kind in {NoticeKind.YOUR_TURN, NoticeKind.REMINDER} for fact in facts)
    others = len(facts) - turns
    parts = [f"{turns} {'turn' if turns == 1 else 'turns'} of yours"] if turns else []
    parts += [f"{others} {'piece' if others == 1 else 'pieces'} of news"] if others else []
    return " and ".join(parts)


def _line(fact: NoticeContent, player: Player) -> str:
    return _LINES[fact.kind].format(
        others=join_names(fact.others),
        ruleset=fact.ruleset,
        until=until(fact, player),
        result=result(fact),
        link=f"{settings.HAGGIS_SITE_ADDRESS}/matches/{fact.about}",
        about=fact.about,
        address=fact.address,
    )


def _message_id(tag: str) -> str:
    _, sender = parseaddr(settings.DEFAULT_FROM_EMAIL)
    return f"<{hashlib.sha256(tag.encode()).hexdigest()[:32]}@{sender.rpartition('@')[2]}>"


_SIGNER: Final = signing.Signer(salt="games.notices.unsubscribe")


def unsubscribe_token(player: Player, kinds: Iterable[str]) -> str:
    """The right to have no more mails of these kinds sent to this player."""
    return _SIGNER.sign_object([player.pk, sorted(kinds)])


def parse_unsubscribe_token(token: str) -> list[NoticeKind]:
    """What the token is about; refused if it is none."""
    return _read(token)[1]


def unsubscribe(*, token: str, everything: bool = False) -> None:
    """Send no more mails of these kinds, or none at all, by themselves or with others. Twice does no harm."""
    player_id, kinds = _read(token)
    with transaction.atomic():
        player = Player.objects.select_for_update(no_key=True).filter(pk=player_id).first()
        if player is None:
            return
        unwanted = frozenset(NoticeKind) if everything else frozenset(kinds)
        for way in MAIL_CHANNELS:
            if way in player.notifications:
                kept = [kind for kind in player.notifications[way] if kind not in unwanted]
                player.notifications[way.value] = kept
        player.save(update_fields=["notifications"])


def _read(token: str) -> tuple[int, list[NoticeKind]]:
    try:
        player_id, kinds = _SIGNER.unsign_object(token)
        return player_id, [NoticeKind(kind) for kind in kinds]
    except (signing.BadSignature, ValueError, TypeError) as error:
        raise _refusal() from error


def _refusal() -> Problem:
    return invalid_field("/token", "invalid_token", "The link is not valid.")
