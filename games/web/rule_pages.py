"""The pages of the rules as HTML, in every language.

The engine writes them in English as Markdown. They are translated block by block: each heading, paragraph,
list item and cell of a table is a message of the catalogue `rules`. So every language has the same structure,
and a sentence that several rule sets share is translated once.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation.trans_real import DjangoTranslation
from markdown_it import MarkdownIt
from markdown_it.token import Token

from games.core.languages import ENGLISH
from games.gateway.agreement import rule_text

DOMAIN: Final = "rules"
LOCALE_FOLDER: Final = Path(__file__).resolve().parent.parent / "locale"

_CARD_CODES: Final = re.compile(r"(?:[2-9T][roygb]|[JQK])(?: (?:[2-9T][roygb]|[JQK]))*")
_LEADING_COMMENT: Final = re.compile(r"\A<!--.*?-->\s*", re.DOTALL)
_RULE_LINK: Final = re.compile(r"\]\((\w+)\.md\)")
_HEADING: Final = re.compile(r"(#+ )(.*)")
_ITEM: Final = re.compile(r"^(- |\d+\. )", re.MULTILINE)
_CODE: Final = re.compile(r"`[^`]*`")
_WORD: Final = re.compile(r"[a-z]{2}")
# The players of the examples, whose names are the same in every language.
_NAMES: Final = re.compile(r"\b(?:Ailsa|Bruce|Catriona)\b")

Translate = Callable[[str], str]


@cache
def rule_html(key: str, language: str = ENGLISH) -> SafeString:
    """Render the rules of a rule set, or for an empty key the comparison of all rule sets.

    >>> "<haggis-cards>7r 7g J</haggis-cards>" in rule_html("classic", "de")
    True
    """
    text = _RULE_LINK.sub(r"](/rules/\1)", rule_markdown(key, language))
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.add_render_rule("code_inline", _render_code)
    html: str = markdown.render(text)
    return mark_safe(html)  # noqa: S308 -- our own Markdown, with HTML disabled


def rule_markdown(key: str, language: str) -> str:
    """Return a page in a language; raise 404 if it does not exist."""
    text = _LEADING_COMMENT.sub("", rule_text(key))
    return text if language == ENGLISH else map_messages(text, _translations(language).gettext)


@cache
def _translations(language: str) -> DjangoTranslation:
    return DjangoTranslation(language, domain=DOMAIN, localedirs=[str(LOCALE_FOLDER)])


def map_messages(text: str, translate: Translate) -> str:
    r"""Return a Markdown page with each of its messages replaced by its translation.

    >>> map_messages("# Bets\n\n- One\n  line.\n- Two.\n\n| cards | 15 |\n| --- | --- |\n", str.upper)
    '# BETS\n\n- ONE LINE.\n- TWO.\n\n| CARDS | 15 |\n| --- | --- |\n'
    """
    blocks = text.strip().split("\n\n")
    return "\n\n".join(_map_block(block, translate) for block in blocks) + "\n"


def _map_block(block: str, translate: Translate) -> str:
    if block.startswith("|"):
        return "\n".join(_map_row(line, translate) for line in block.split("\n"))
    if heading := _HEADING.fullmatch(block):
        return heading[1] + _map_text(heading[2], translate)
    _, *markers_and_items = _ITEM.split(block) if _ITEM.match(block) else ("", "", block)
    markers, items = markers_and_items[::2], markers_and_items[1::2]
    return "\n".join(marker + _map_text(item, translate) for marker, item in zip(markers, items, strict=True))


def _map_row(line: str, translate: Translate) -> str:
    cells = line.strip("|").split("|")
    return f"|{'|'.join(f' {_map_text(cell, translate)} ' for cell in cells)}|"


def _map_text(text: str, translate: Translate) -> str:
    """Translate a text whose lines are joined; one without words stays as it is."""
    joined = " ".join(text.split())
    return translate(joined) if _WORD.search(_NAMES.sub("", _CODE.sub("", joined))) else joined


def _render_code(_: object, tokens: Sequence[Token], index: int, *__: object) -> str:
    """Render card codes as an element that draws them, and any other code as `<code>`."""
    content = tokens[index].content
    if _CARD_CODES.fullmatch(content):
        return format_html("<haggis-cards>{}</haggis-cards>", content)
    return format_html("<code>{}</code>", content)
