"""Run all engine benchmarks, in a few minutes: `make bench`.

python -m benchmarks --quick
"""

import argparse
from typing import Final

from benchmarks import apply, legal_plays, memory, rounds
from benchmarks.results import add_arguments

# Each benchmark with its arguments for --quick, whose numbers mean little.
_MEASURES: Final = (
    ("Random rounds", rounds.main, "--seconds 0.3 --repetitions 1 --warm-up 500"),
    ("Legal plays of 17 cards", legal_plays.main, "--warm-up 500 --hands 300 --small 3 --repetitions 1"),
    ("Memory of the caches", memory.main, "--rounds 2000"),
    ("One action, from stored match to stored match", apply.main, "--matches 2 --repetitions 1"),
)


def main(arguments: list[str] | None = None) -> None:
    """Run all benchmarks; each prints its ratios last."""
    parser = argparse.ArgumentParser(
        prog="benchmarks", description="Benchmark the engine and other libraries."
    )
    parser.add_argument("--quick", action="store_true", help="run everything at the smallest size")
    parser.add_argument("--no-compiled", dest="compiled", action="store_false")
    add_arguments(parser)
    options = parser.parse_args(arguments)
    common = ["--date", options.date, "--results", str(options.results)]
    for title, measure, small in _MEASURES:
        print(f"\n=== {title}", flush=True)
        plain_only = [] if options.compiled or measure is apply.main else ["--no-compiled"]
        measure([*common, *plain_only, *(small.split() if options.quick else ())])


if __name__ == "__main__":
    main()
