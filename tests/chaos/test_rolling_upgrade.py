"""A release takes over from the one before it, a process at a time, while everybody plays.

The release that takes over is today's code with one migration more, so that the tables of the new one are
under the old one for a while: as docs/operate.md has it, "Upgrade without downtime".
"""

import shutil
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest

from tests.chaos.ai_matches import count_events, create_ai_matches, longest_gaps, unfinished
from tests.chaos.conftest import StartStack
from tests.chaos.load import Load
from tests.chaos.servers import ROOT, wait_for
from tests.chaos.stored_matches import check_moves_stored

# Of all requests together, on a machine where the processes that start take the time of those that answer.
LONGEST_SILENCE: Final = 10.0
# None, where it goes as it should; a moment in which the proxy finds no process would be some hundred.
MOST_REFUSED: Final = 0.01
LONGEST_WAIT_FOR_AN_AI: Final = 60.0

# What a release may do to tables that the one before it goes on using: add columns that may be empty, and
# indexes.
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
# So many that they are not all over when the last process is replaced: two workers play one in half a minute.
AI_MATCHES: Final = 20
MOVES_BETWEEN_PROCESSES: Final = 5

pytestmark = [
    pytest.mark.timeout(1200),
    pytest.mark.needs("postgresql-programs"),
    pytest.mark.needs("redis-server"),
    pytest.mark.needs("nginx"),
]


@pytest.fixture
def next_release(tmp_path: Path) -> Path:
    """The code of a release that comes after this one."""
    code = tmp_path / "next"
    shutil.copytree(ROOT, code, ignore=shutil.ignore_patterns(*NOT_OF_A_RELEASE))
    migrations = code / "games" / "migrations"
    newest = max(each.stem for each in migrations.glob("0*.py"))
    (migrations / f"{int(newest[:4]) + 1:04}_of_the_next_release.py").write_text(
        MIGRATION.format(newest=newest)
    )
    return code


def longest_silence(load: Load) -> float:
    """The longest time in which not one request was answered."""
    answered = sorted(each.sent_at + each.seconds for each in load.timings)
    return max(later - earlier for earlier, later in pairwise(answered))


def test_a_release_takes_over_from_the_one_before_it_and_nobody_notices(
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
    print(  # noqa: T201 -- for `make chaos`
        f"{len(stack.running) - 1} processes replaced one by one: {len(load.timings)} requests answered,"
        f" the longest time without an answer {silence:.1f} s, an AI waited {waited:.1f} s at most;"
        f" {found} moves found; {dict(load.failures)}"
    )
    assert sum(load.failures.values()) < MOST_REFUSED * len(load.timings)
    assert silence < LONGEST_SILENCE
    assert waited < LONGEST_WAIT_FOR_AN_AI
