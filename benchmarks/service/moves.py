"""Accepted moves per CPU second of the whole service on PostgreSQL, compared with boardgame.io.

    python -m benchmarks.service.moves --database postgres://postgres@127.0.0.1:5432/postgres

Both servers are single processes pinned to the same core. They play a climbing game of singles for two with
hidden hands, store each move in PostgreSQL, and have clients on another core. The servers alternate within
one run. Only the CPU time of the server counts, not that of PostgreSQL and of the clients.

Each server plays other matches first, so that one-off costs (imports, compilation, prepared statements) do
not count. Short matches are measured several times, each time in new matches.
"""

import argparse
import os
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from statistics import median
from typing import Final

from benchmarks.builds import builds
from benchmarks.results import Ratio, add_arguments, record_results
from benchmarks.service.contenders import (
    MATCHES,
    Contender,
    boardgame_io,
    copy_service_sources,
    haggis,
)
from benchmarks.service.processes import cpu_seconds

DRIVER_CORE: Final = 1
MOVES: Final = 30
AFTER: Final = (0, 300, 1500)
RIVAL: Final = "boardgame.io"
OURS: Final = "Haggis"

Start = Callable[[str], AbstractContextManager[Contender]]


def main(arguments: list[str] | None = None) -> None:
    """Run each contender as often as requested."""
    options = _parse_arguments(arguments)
    os.sched_setaffinity(0, {DRIVER_CORE})
    speeds_by_name: dict[str, list[float]] = {}
    with ExitStack() as stack:
        contenders = _contenders(options, stack)
        for _ in range(options.repetitions):
            for name, start in contenders.items():
                for after, speed in _measure_speeds(start, options).items():
                    speeds_by_name.setdefault(f"{name}, after {after}", []).append(speed)
                    print(f"{name}, after {after}: {speed:,.0f} moves per second of CPU", flush=True)
    figures = {name: median(speeds) for name, speeds in speeds_by_name.items()}
    ratios = _ratios(figures, options.after, [name for name in contenders if name != RIVAL])
    record_results(options, "service moves", figures | {"load average": os.getloadavg()[0]}, ratios)


def _contenders(options: argparse.Namespace, stack: ExitStack) -> dict[str, Start]:
    """Return the service with the plain engine, optionally with the compiled one, and boardgame.io."""
    own_names: dict[str, Start] = {}
    for build, tree in stack.enter_context(builds(compiled=options.compiled)).items():
        copy_service_sources(tree)
        own_names[OURS if build == "plain" else f"{OURS}, engine {build}"] = partial(haggis, tree=tree)
    return {**own_names, RIVAL: boardgame_io}


def _ratios(figures: dict[str, float], after: list[int], own_names: list[str]) -> list[Ratio]:
    """Return the ratios to boardgame.io, and of long matches to short ones."""
    ratios = [
        Ratio(f"{name} / {RIVAL}{_suffix(each)}", figures[f"{name}, after {each}"] / figures[rival], 5)
        for name in own_names
        for each in after
        if (rival := f"{RIVAL}, after {each}") in figures
    ]
    return ratios + [
        Ratio(
            f"{name} after {each} / after {after[0]}",
            figures[f"{name}, after {each}"] / figures[f"{name}, after {after[0]}"],
            0.9,
        )
        for name in own_names
        for each in after[1:]
    ]


def _suffix(after: int) -> str:
    return f", after {after}" if after else ""


def _measure_speeds(start: Start, options: argparse.Namespace) -> dict[int, float]:
    """Return the moves per CPU second after this many moves in each match."""
    with start(options.database) as contender:
        contender.start_matches()
        contender.play(options.warm)
        first, *later = options.after
        speeds, moves_made = (
            {first: median(_measure_new_matches(contender, first, options) for _ in range(options.matches))},
            0,
        )
        moves_made = first + options.moves
        for after in later:
            contender.play(after - moves_made)
            speeds[after] = _measure_speed(contender, options.moves)
            moves_made = after + options.moves
    return speeds


def _measure_new_matches(contender: Contender, after: int, options: argparse.Namespace) -> float:
    """Return the moves per CPU second in new matches."""
    contender.start_matches()
    if after:
        contender.play(after)
    return _measure_speed(contender, options.moves)


def _measure_speed(contender: Contender, moves: int) -> float:
    started = cpu_seconds(contender.server)
    contender.play(moves)
    return moves * MATCHES / (cpu_seconds(contender.server) - started)


def _parse_arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--database", default="postgres://postgres@127.0.0.1:5432/postgres")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--moves", type=int, default=MOVES, help="measured moves in each of four matches")
    parser.add_argument("--matches", type=int, default=5, help="how often new matches are measured")
    parser.add_argument("--warm", type=int, default=100, help="warm-up moves in each of four other matches")
    parser.add_argument(
        "--after", type=int, nargs="+", default=list(AFTER), help="moves before the measurement"
    )
    parser.add_argument("--compiled", action="store_true", help="also measure the compiled engine")
    add_arguments(parser)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
