"""Write the rule pages from the rule sets.

Usage: `python -m engine.rulesets.documents [--check] docs/rules`.

Without `--check` the pages are written; with it they are compared, and the command fails if one differs.
"""

import argparse
import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Final

from engine.rulesets import common, particulars
from engine.rulesets.catalogue import RULE_SETS
from engine.rulesets.comparison import overview
from engine.rulesets.markdown import heading, page, paragraph
from engine.rulesets.model import RuleSet

NOTICE: Final = (
    "<!-- Written by `python -m engine.rulesets.documents`. Change the rule set, not this page. -->"
)

_SECTIONS: Final = (
    common.game_section,
    common.cards_section,
    common.combinations_section,
    common.bombs_section,
    common.trick_section,
    particulars.bets_section,
    common.going_out_section,
    particulars.score_section,
    particulars.next_round_section,
    particulars.match_section,
    particulars.options_section,
    particulars.rulings_section,
)


def rule_page(rules: RuleSet) -> str:
    """Return the complete rules of one rule set as a page."""
    opening = [
        NOTICE,
        heading(f"Haggis: {rules.title}", 1),
        paragraph(rules.summary, f"Rule set `{rules.key}`, version {rules.version}."),
    ]
    return page(chain(opening, *(section(rules) for section in _SECTIONS)))


def pages() -> dict[str, str]:
    """Return the text of every page by file name."""
    return {"README.md": overview(RULE_SETS, notice=NOTICE)} | {
        f"{rules.key}.md": rule_page(rules) for rules in RULE_SETS
    }


def outdated(folder: Path) -> list[str]:
    """Return the names of the pages that are missing or out of date in this folder."""
    return [name for name, text in pages().items() if not _is_current(folder / name, text)]


def _is_current(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


def write(folder: Path) -> None:
    """Write every page to the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the pages; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m engine.rulesets.documents", description="The pages of the rules."
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a page differs")
    options = parser.parse_args(arguments)
    if not options.check:
        write(options.folder)
        return 0
    stale = outdated(options.folder)
    sys.stderr.writelines(f"{options.folder / name} is not what the rule sets say\n" for name in stale)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
