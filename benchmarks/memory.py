"""Memory of the caches of plays after many random rounds of two and three players.

    python -m benchmarks.memory --rounds 1000000

The caches are bounded: when full, they are cleared, so the peak says more than the end.
"""

import argparse
import json
import os
import random
from pathlib import Path
from typing import Any, Final

from benchmarks.builds import builds, run_in
from benchmarks.results import Ratio, add_arguments, record_results
from engine.combinations import memo
from engine.rounds.playout import play_out, random_hands
from engine.rounds.position import Table, first_position

TARGET: Final = 120.0  # MB
_SAMPLE_INTERVAL_ROUNDS: Final = 500  # rounds


def main(arguments: list[str] | None = None) -> None:
    """Play in a process of its own and print how much memory it took."""
    options = parse_arguments(arguments)
    if options.here:
        print(json.dumps(measure_growth(options.rounds)))
        return
    with builds(compiled=options.compiled) as trees:
        build, tree = list(trees.items())[-1]
        command = ("--here", "--rounds", str(options.rounds))
        figures = {"build": build, **json.loads(run_in(tree, "benchmarks.memory", *command))}
    print(
        f"{figures['rounds']:,} rounds ({build}): {figures['peak_mb']:.1f} MB more at the peak, "
        f"{figures['end_mb']:.1f} MB at the end, cleared {figures['forgotten']} times"
    )
    record_results(
        options, "memory", figures, [Ratio("MB at the peak", figures["peak_mb"], TARGET, at_most=True)]
    )


def measure_growth(rounds: int) -> dict[str, Any]:
    """Return the growth of the process, at its peak and at the end."""
    rng = random.Random(1)
    tables = (Table(2), Table(3))
    initial = resident_mb()
    peak, forgotten, held = initial, 0, memo.words_used()
    for number in range(rounds):
        table = tables[number % 2]
        play_out(first_position(table, random_hands(table, rng), 0), rng)
        if memo.words_used() < held:
            forgotten += 1
        held = memo.words_used()
        if number % _SAMPLE_INTERVAL_ROUNDS == 0:
            peak = max(peak, resident_mb())
    end = resident_mb()
    peak = max(peak, end)
    return {
        "rounds": rounds,
        "peak_mb": round(peak - initial, 1),
        "end_mb": round(end - initial, 1),
        "forgotten": forgotten,
    }


def resident_mb() -> float:
    """Return the resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def parse_arguments(arguments: list[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Memory of the caches.")
    parser.add_argument("--rounds", type=int, default=int(os.environ.get("HAGGIS_BENCH_ROUNDS", "100000")))
    parser.add_argument("--no-compiled", dest="compiled", action="store_false")
    parser.add_argument("--here", action="store_true", help="run in this process and print only figures")
    add_arguments(parser)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
