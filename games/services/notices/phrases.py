"""What mails and push messages are made of: names, a time, a result; nothing that is hidden from anybody."""

from collections.abc import Iterable
from typing import Final
from zoneinfo import ZoneInfo

from games.models import NoticeKind, Player
from games.services.notices.truth import Fact

_SUBJECTS: Final = {
    NoticeKind.INVITATION: "{others} asks you to a match of Haggis",
    NoticeKind.YOUR_TURN: "Your turn against {others}",
    NoticeKind.REMINDER: "Your time is running out against {others}",
    NoticeKind.CARETAKER: "An AI plays for you against {others}",
    NoticeKind.MATCH_END: "Your match against {others} is over",
    NoticeKind.WEBHOOK_STOPPED: "An endpoint of yours has been stopped",
    NoticeKind.TEST: "Messages arrive here",
}


def subject(fact: Fact) -> str:
    """A fact in one line."""
    return _SUBJECTS[fact.kind].format(others=joined(fact.others))


def until(fact: Fact, player: Player) -> str:
    """When the turn is over, by the player's own clock."""
    if fact.deadline is None:
        return ""
    here = fact.deadline.astimezone(ZoneInfo(player.time_zone))
    return f", until {here:%A %d %B, %H:%M} ({player.time_zone})"


def result(fact: Fact) -> str:
    """Who won, and by what."""
    won = f"{joined(fact.winners)} won" if fact.winners else "nobody won"
    return f"{won}, {' to '.join(map(str, fact.scores))}"


def joined(names: Iterable[str]) -> str:
    """Names as they are said.

    >>> joined(["Heather", "Bracken", "Thistle"])
    'Heather, Bracken and Thistle'
    """
    *rest, last = tuple(names) or ("nobody",)
    return f"{', '.join(rest)} and {last}" if rest else last
