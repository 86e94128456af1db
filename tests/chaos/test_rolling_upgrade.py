"""A new release replaces the old one process by process during play.

The new release is the current code with one more migration, so that the old code runs on its tables for a
while, as described in docs/operate.md, "Upgrade without downtime".
"""

import shutil
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from tests.chaos.conftest import StartStack
from tests.chaos.load import Load
from tests.support.processes import ROOT, wait_for
from tests.support.requirements import needs_stack
from tests.support.stored_matches import (
    check_moves_stored,
    count_events,
    create_ai_matches,
    longest_gaps,
    unfinished,
)

# For all requests together, on a machine where starting processes slow down the others.
LONGEST_SILENCE: Final = 10.0
# Normally zero; a moment without any process behind the proxy would be some hundred.
MOST_REFUSED: Final = 0.01
LONGEST_WAIT_FOR_AN_AI: Final = 60.0

# A migration that the previous release tolerates: it adds nullable columns and indexes.
MIGRATION: Final = """
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "{newest}")]
    operations = [
        migrations.AddField("match", "of_the_next_release", models.TextField(null=True)),
        migrations.AddField("move", "of_the_next_release", models.TextField(null=True)),
        migrations.AddIndex("match", models.Index(fields=["of_the_next_release"], name="next_release")),
    ]
"""
NOT_OF_A_RELEASE: Final = (".*", "__pycache__", "node_modules", "build", "var")
# Enough to last until the last process is replaced: two workers play one in half a minute.
AI_MATCHES: Final = 20
MOVES_BETWEEN_PROCESSES: Final = 5

pytestmark = [pytest.mark.timeout(1200), needs_stack]


def last_migration(folder: Path) -> str:
    """Return the name of the migration on which no other depends; numbers are not in this order."""
    texts = {each.stem: each.read_text(encoding="utf-8") for each in folder.glob("0*.py")}
    (last,) = (name for name in texts if not any(f'"{name}")' in text for text in texts.values()))
    return last


@pytest.fixture
def next_release(tmp_path: Path) -> Path:
    """Provide the code of a release with one more migration."""
    code = tmp_path / "next"
    shutil.copytree(ROOT, code, ignore=shutil.ignore_patterns(*NOT_OF_A_RELEASE))
    migrations = code / "games" / "migrations"
    newest = last_migration(migrations)
    (migrations / "9999_of_the_next_release.py").write_text(MIGRATION.format(newest=newest))
    return code


def longest_silence(load: Load) -> float:
    """Return the longest time without any response."""
    answered = sorted(each.sent_at + each.seconds for each in load.timings)
    return max(later - earlier for earlier, later in pairwise(answered))


def test_rolling_upgrade_causes_no_errors_and_no_long_gaps(
    start_stack: StartStack, next_release: Path
) -> None:
    stack = start_stack()
    with Load(stack.port) as load:
        matches = create_ai_matches(stack, AI_MATCHES, rounds=100)
        load.wait_for_moves(20)
        stack.code = next_release
        stack.prepare_release()
        load.wait_for_moves(20)
        for name in [each for each in stack.running if each != "proxy"]:
            stack.replace(name)
            load.wait_for_moves(MOVES_BETWEEN_PROCESSES)
        assert unfinished(stack, matches), "all matches of AIs are over: nobody could see them stand still"
        before = count_events(stack, matches)
        wait_for("the AIs", lambda: count_events(stack, matches) > before, LONGEST_WAIT_FOR_AN_AI)
        load.wait_for_moves(20)
    found, silence = check_moves_stored(stack, load.moves), longest_silence(load)
    waited = max(longest_gaps(stack, matches))
    print(  # noqa: T201 -- output of `make chaos`
        f"{len(stack.running) - 1} processes replaced one by one: {len(load.timings)} requests answered,"
        f" the longest time without an answer {silence:.1f} s, an AI waited {waited:.1f} s at most;"
        f" {found} moves found; {dict(load.failures)}"
    )
    assert sum(load.failures.values()) < MOST_REFUSED * len(load.timings)
    assert silence < LONGEST_SILENCE
    assert waited < LONGEST_WAIT_FOR_AN_AI
