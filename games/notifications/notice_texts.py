"""What mails, push messages and lines of text say about notices."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from games.matches.models.log import NoticeKind
from games.notices.models import NoticeType

NOTICE_KINDS: Final = frozenset(NoticeKind(each.value) for each in NoticeType)

_SENTENCES: Final = {
    NoticeKind.SEEK_MATCHED: _("An opponent was found for your seek."),
    NoticeKind.RATING_CHANGED: _("Your rating is now {rating}."),
    NoticeKind.BOARD_OPENED: _("A new board is open."),
    NoticeKind.BOARD_CLOSED: _("A board that you played has closed. See the results."),
    NoticeKind.EXPORT_READY: _("The archive of your data can be downloaded."),
    NoticeKind.SECURITY: _("Somebody logged in from a new device, or changed what protects your account."),
}
NOTICE_SUBJECTS: Final = {
    NoticeKind.SEEK_MATCHED: _("An opponent was found"),
    NoticeKind.RATING_CHANGED: _("Your rating has changed"),
    NoticeKind.BOARD_OPENED: _("A new board is open"),
    NoticeKind.BOARD_CLOSED: _("A board has closed"),
    NoticeKind.EXPORT_READY: _("Your data is ready"),
    NoticeKind.SECURITY: _("Check your Haggis account"),
}


def notice_sentence(kind: NoticeKind, data: Mapping[str, Any]) -> str:
    """Return what a notice says, in the current language."""
    sentence: str = _SENTENCES[kind].format(rating=data.get("rating", ""))
    return sentence


def notice_path(type_: str, data: Mapping[str, Any]) -> str:
    """Return the path of the page that a notice is about.

    >>> notice_path("rating_changed", {"match": "m_1"}), notice_path("security", {"event": "new_device"})
    ('/matches/m_1', '/account')
    """
    if "match" in data:
        return f"/matches/{data['match']}"
    if type_ in {NoticeType.BOARD_OPENED, NoticeType.BOARD_CLOSED}:
        return f"/boards/{data['board']}"
    return "/account"
