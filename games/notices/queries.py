"""Read notices and render them."""

from collections.abc import Iterable
from typing import TypedDict

from games.core.times import format_time
from games.notices.models import NoticeData, PlayerNotice


class NoticeDocument(TypedDict):
    """A notice as its player receives it."""

    id: str
    type: str
    at: str | None
    data: NoticeData


def render_notice(notice: PlayerNotice) -> NoticeDocument:
    """Render a notice."""
    return {
        "id": notice.public_id,
        "type": notice.type,
        "at": format_time(notice.at),
        "data": notice.data,
    }


def find_notice(public_id: str) -> PlayerNotice | None:
    """Return a notice, or `None` if it has been deleted."""
    return PlayerNotice.objects.filter(public_id=public_id).first()


def notices_by_id(ids: Iterable[int]) -> dict[int, PlayerNotice]:
    """Return the notices that still exist by their position in the order of the log."""
    return PlayerNotice.objects.in_bulk(list(ids))
