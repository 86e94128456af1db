"""The rule pages as HTML: the engine's Markdown, with the cards in it left to the browser to draw."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from games.gateway.rule_pages import rule_text

_CARDS: Final = re.compile(r"(?:[2-9T][roygb]|[JQK])(?: (?:[2-9T][roygb]|[JQK]))*")
_NOTICE: Final = re.compile(r"\A<!--.*?-->\s*", re.DOTALL)
_PAGE_OF: Final = re.compile(r"\]\((\w+)\.md\)")


@cache
def rule_html(key: str) -> SafeString:
    """The page of a rule set; for no key the one that compares them.

    >>> "<haggis-cards>7r 7g J</haggis-cards>" in rule_html("classic")
    True
    """
    text = _PAGE_OF.sub(r"](/rules/\1)", _NOTICE.sub("", rule_text(key)))
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.add_render_rule("code_inline", _code)
    html: str = markdown.render(text)
    return mark_safe(html)  # noqa: S308 -- Markdown of our own, in which HTML is off


def _code(_: object, tokens: Sequence[Token], index: int, *__: Any) -> str:  # noqa: ANN401 -- the library's own
    """Cards as an element that draws them, and anything else as code."""
    content = tokens[index].content
    if _CARDS.fullmatch(content):
        return format_html("<haggis-cards>{}</haggis-cards>", content)
    return format_html("<code>{}</code>", content)
