"""Hooks of mkdocs: make the site work under the security policy of the service; add llms.txt and examples.

The policy allows no inline scripts and styles. Inline scripts of the theme become files, and the alignment of
table cells becomes a class.
"""

import hashlib
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

FOLDER: Final = "assets/inline"
# Programs of the repository that pages link to, as /docs/<path>.
EXAMPLES: Final = ("examples/bot.py",)

_INLINE_SCRIPT: Final = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_ALIGNMENT: Final = re.compile(r'style="text-align: (left|right|center);"')
_HEADING: Final = re.compile(r"^#+ .*$", re.MULTILINE)
_LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")

_pages: list[Page] = []


def on_nav(nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:  # noqa: ARG001 -- as mkdocs calls it
    """Remember the pages in the order of the navigation."""
    _pages[:] = nav.pages
    return nav


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Return the page without inline scripts and styles."""
    root = len(Path(page.file.url).parts) * "../"
    return _without_inline(output, root, Path(config.site_dir))


def on_post_template(output_content: str, template_name: str, config: MkDocsConfig) -> str:
    """Return a template, such as the page for unknown addresses, without inline scripts and styles."""
    if not template_name.endswith(".html"):
        return output_content
    return _without_inline(output_content, config.site_url or "/docs/", Path(config.site_dir))


def _without_inline(html: str, root: str, site: Path) -> str:
    def moved(match: re.Match[str]) -> str:
        content = match[1].encode()
        name = f"{FOLDER}/{hashlib.sha256(content).hexdigest()[:16]}.js"
        target = site / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        return f'<script src="{root}{name}"></script>'

    return _ALIGNMENT.sub(r'class="\1"', _INLINE_SCRIPT.sub(moved, html))


def on_post_build(config: MkDocsConfig) -> None:
    """Write llms.txt, which lists all pages, the sources of the pages, and the examples."""
    site = Path(config.site_dir)
    # The service has a page of its own for unknown addresses.
    (site / "404.html").unlink()
    (site / "llms.txt").write_text("\n".join(_listing(config)) + "\n", encoding="utf-8")
    for page in _pages:
        target = site / page.file.src_uri
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(str(page.file.abs_src_path), target)
    for example in EXAMPLES:
        (site / example).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(Path(__file__).parent.parent / example, site / example)


def _listing(config: MkDocsConfig) -> Iterator[str]:
    yield f"# {config.site_name}"
    yield ""
    yield f"> {config.site_description}"
    yield ""
    yield "Every server has its OpenAPI document at /api/v1/schema. Errors have a stable `code`, and"
    yield "their `type` is the address of the section about it."
    section = ""
    for page in _pages:
        group = page.parent.title if page.parent is not None else "Pages"
        if group != section:
            section = group
            yield ""
            yield f"## {section}"
            yield ""
        yield f"- [{page.title}](/docs/{page.file.src_uri}): {first_sentence(page.markdown or '')}"


def first_sentence(markdown: str) -> str:
    r"""Return the first sentence of a page, without links.

    >>> first_sentence("# Errors\n\nEvery error has a [code](codes.md). More.")
    'Every error has a code.'
    """
    paragraphs = _HEADING.sub("", markdown).strip().split("\n\n")
    text = _LINK.sub(r"\1", " ".join(paragraphs[0].split()))
    return text.split(". ")[0].rstrip(".") + "."
