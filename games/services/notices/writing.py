"""Mails as they are written: plain text, no cards in them, and a way out of them in each."""

import hashlib
from collections.abc import Sequence
from email.utils import parseaddr
from typing import Final

from django.conf import settings
from django.core.mail import EmailMessage

from games.models import NoticeKind, NoticeWay, Player
from games.services.notices.phrases import joined, result, subject, until
from games.services.notices.truth import Fact
from games.services.notices.unsubscribing import unsubscribe_token

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
_WAY_OUT: Final = "\n-- \nYou asked Haggis for these mails. To have no more of this kind:\n{unsubscribe}\n"
_KINDS_TO_LEAVE: Final = frozenset(NoticeKind) - {NoticeKind.WEBHOOK_STOPPED, NoticeKind.TEST}


def write_mail(player: Player, way: NoticeWay, facts: Sequence[Fact], *, tag: str) -> EmailMessage:
    """The mail that tells these facts; the same tag makes it known as the same mail, should it come twice."""
    body = _GREETING.format(username=player.username)
    body += "\n\n".join(_line(fact, player) for fact in facts) + "\n"
    headers = {"Message-ID": _message_id(tag), "Auto-Submitted": "auto-generated"}
    kinds = sorted({fact.kind for fact in facts} & _KINDS_TO_LEAVE)
    if kinds:
        unsubscribe = f"{settings.HAGGIS_SITE_ADDRESS}/unsubscribe?token={unsubscribe_token(player, kinds)}"
        body += _WAY_OUT.format(unsubscribe=unsubscribe)
        headers["List-Unsubscribe"] = f"<{unsubscribe}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return EmailMessage(_subject(way, facts), body, None, [player.email], headers=headers)


def _subject(way: NoticeWay, facts: Sequence[Fact]) -> str:
    if way == NoticeWay.DIGEST:
        return f"Haggis today: {_count(facts)}"
    if len(facts) > 1:
        return f"Haggis: {_count(facts)}"
    [fact] = facts
    return subject(fact)


def _count(facts: Sequence[Fact]) -> str:
    turns = sum(fact.kind in {NoticeKind.YOUR_TURN, NoticeKind.REMINDER} for fact in facts)
    others = len(facts) - turns
    parts = [f"{turns} {'turn' if turns == 1 else 'turns'} of yours"] if turns else []
    parts += [f"{others} {'piece' if others == 1 else 'pieces'} of news"] if others else []
    return " and ".join(parts)


def _line(fact: Fact, player: Player) -> str:
    return _LINES[fact.kind].format(
        others=joined(fact.others),
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
