"""Telling by mail what is due: for each player in one mail, if it is still true; then it is forgotten."""

import logging
from collections.abc import Iterable
from datetime import timedelta
from itertools import groupby
from typing import Final

from django.core import mail

from games.models import MAIL_WAYS, Notice, NoticeWay
from games.services.notices.claiming import claim, forget, put_off
from games.services.notices.truth import Fact, fact_of
from games.services.notices.writing import write_mail

AT_ONCE: Final = 200
LEASE: Final = timedelta(minutes=5)
# A mail server that is away is asked again, less and less often, for about three days.
WAITS: Final = tuple(timedelta(minutes=5 * 2**number) for number in range(10))

logger = logging.getLogger(__name__)


def send_notices(*, at_most: int = AT_ONCE) -> int:
    """Send mails for what is due; how many. What a dead sender had in hand is found again after a while."""
    claimed = claim(MAIL_WAYS, at_most=at_most, lease=LEASE)
    by_mail = groupby(claimed, key=lambda notice: (notice.player_id, notice.way))
    return sum(_tell(list(notices)) for _, notices in by_mail)


def _tell(notices: list[Notice]) -> bool:
    """Send one mail about these, all of one player; False if there is nothing to say or nobody to take it."""
    player = notices[0].player
    reached = player.is_active and player.email_confirmed and bool(player.email)
    facts = _facts(notices) if reached else []
    if not facts:
        forget(notices)
        return False
    way = NoticeWay(notices[0].way)
    tag = " ".join(f"{notice.pk}/{notice.version}" for notice in notices)
    try:
        mail.get_connection().send_messages([write_mail(player, way, facts, tag=tag)])
    except OSError as error:  # of smtplib too
        logger.warning("a mail could not be sent (%s)", type(error).__name__)
        for notice in notices:
            put_off(notice, WAITS)
        return False
    forget(notices)
    return True


def _facts(notices: Iterable[Notice]) -> list[Fact]:
    return [fact for notice in notices if (fact := fact_of(notice, notice.player)) is not None]
