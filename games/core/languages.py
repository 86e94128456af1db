"""The languages of pages, mails and errors, and their negotiation."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Final, TypeAlias

from django.conf import settings
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy, override
from django.utils.translation.trans_real import parse_accept_lang_header

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    # A text, or a message that is translated when it is shown.
    Text: TypeAlias = str | _StrPromise
else:
    Text = str | Promise

ENGLISH: Final = "en"
CODE_LENGTH: Final = 2


def language_names() -> dict[str, str]:
    """Return the offered languages by code, each named in the language itself."""
    return dict(settings.LANGUAGES)


def negotiated_language(accept_language: str) -> str:
    """Return the offered language that the client prefers most, or English.

    Regions do not matter. Languages of quality 0 are refused, and a malformed header counts as none.

    >>> negotiated_language("nl, fr-CA;q=0.8, en;q=0.5")
    'fr'
    >>> negotiated_language("de;q=0, tlh")
    'en'
    """
    return preferred_language(accept_language) or ENGLISH


def preferred_language(accept_language: str) -> str:
    """Return the same as `negotiated_language`, or an empty string if no offered language is named."""
    for tag, quality in parse_accept_lang_header(accept_language):
        language = tag.partition("-")[0]
        if quality > 0 and language in language_names():
            return language
    return ""


def speaking(language: str) -> AbstractContextManager[None]:
    """Return a context in which messages are in this language; an empty one stands for English.

    >>> with speaking("de"):
    ...     gettext("Bad request")
    'Ungültige Anfrage'
    """
    return override(language or ENGLISH)


def translated(text: Text) -> str:
    """Return a text in the current language: a lazy message, or an English one of a table of constants."""
    return str(text) if isinstance(text, Promise) or not text else gettext(text)


def message(template: str, **values: object) -> Text:
    """Return a lazy message whose placeholders are filled in once it is translated.

    The template must be in the catalogue. Values are shown as they are, since they may be what somebody
    entered; pass a lazy message for a word that is translated.

    >>> str(message("A bet is one of {amounts}, or 0 to declare none.", amounts="15, 30"))
    'A bet is one of 15, 30, or 0 to declare none.'
    """
    known: Callable[[str], Text] = gettext_lazy
    return format_lazy(known(template), **values) if values else known(template)
