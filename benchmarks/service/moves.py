"""Accepted moves per second of server CPU, beside boardgame.io: the whole service on PostgreSQL.

    python -m benchmarks.service.moves --database postgres://postgres@127.0.0.1:5432/postgres

Both servers are one process pinned to the same core, play a climbing game of singles for two with hands that
only their owners see, keep each move in PostgreSQL, and are driven by clients on another core. They take
turns within one run. What counts is the CPU time of the server, not that of PostgreSQL and of the clients.

Each server plays a while before it is measured, in other matches: what is loaded, compiled and prepared once
in the life of a server is no part of a move. Short matches are measured several times, fresh ones each time.
"""

import argparse
import os
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from statistics import median
from typing import Final

from benchmarks.builds import builds
from benchmarks.results import Ratio, add_arguments, keep
from benchmarks.service.contenders import (
    SIDE_BY_SIDE,
    Contender,
    add_the_service,
    boardgame_io,
    haggis,
)
from benchmarks.service.processes import cpu_seconds

DRIVER_CORE: Final = 1
SHORT: Final = 30
AFTER: Final = (0, 300, 1500)
RIVAL: Final = "boardgame.io"
OURS: Final = "Haggis"

Start = Callable[[str], AbstractContextManager[Contender]]


def main(arguments: list[str] | None = None) -> None:
    """Measure all, as often as asked."""
    asked = _read(arguments)
    os.sched_setaffinity(0, {DRIVER_CORE})
    found: dict[str, list[float]] = {}
    with ExitStack() as stack:
        contenders = _contenders(asked, stack)
        for _ in range(asked.repetitions):
            for name, start in contenders.items():
                for after, speed in _speeds(start, asked).items():
                    found.setdefault(f"{name}, after {after}", []).append(speed)
                    print(f"{name}, after {after}: {speed:,.0f} moves per second of CPU", flush=True)
    figures = {name: median(speeds) for name, speeds in found.items()}
    ratios = _ratios(figures, asked.after, [name for name in contenders if name != RIVAL])
    keep(asked, "service moves", figures | {"load of the machine": os.getloadavg()[0]}, ratios)


def _contenders(asked: argparse.Namespace, stack: ExitStack) -> dict[str, Start]:
    """Who takes turns: our service on the plain engine, on the compiled one where asked, and the rival."""
    ours: dict[str, Start] = {}
    for build, tree in stack.enter_context(builds(compiled=asked.compiled)).items():
        add_the_service(tree)
        ours[OURS if build == "plain" else f"{OURS}, engine {build}"] = partial(haggis, tree=tree)
    return {**ours, RIVAL: boardgame_io}


def _ratios(figures: dict[str, float], after: list[int], ours: list[str]) -> list[Ratio]:
    """Ours beside the rival, and after more moves beside after few."""
    ratios = [
        Ratio(f"{name} / {RIVAL}{_late(each)}", figures[f"{name}, after {each}"] / figures[rival], 5)
        for name in ours
        for each in after
        if (rival := f"{RIVAL}, after {each}") in figures
    ]
    return ratios + [
        Ratio(
            f"{name} after {each} / after {after[0]}",
            figures[f"{name}, after {each}"] / figures[f"{name}, after {after[0]}"],
            0.9,
        )
        for name in ours
        for each in after[1:]
    ]


def _late(after: int) -> str:
    return f", after {after}" if after else ""


def _speeds(start: Start, asked: argparse.Namespace) -> dict[int, float]:
    """Moves per CPU second after so many moves in each match."""
    with start(asked.database) as contender:
        contender.begin()
        contender.play(asked.warm)
        first, *later = asked.after
        speeds, made = {first: median(_fresh(contender, first, asked) for _ in range(asked.matches))}, 0
        made = first + asked.moves
        for after in later:
            contender.play(after - made)
            speeds[after] = _speed(contender, asked.moves)
            made = after + asked.moves
    return speeds


def _fresh(contender: Contender, after: int, asked: argparse.Namespace) -> float:
    """The same in fresh matches."""
    contender.begin()
    if after:
        contender.play(after)
    return _speed(contender, asked.moves)


def _speed(contender: Contender, moves: int) -> float:
    begun = cpu_seconds(contender.server)
    contender.play(moves)
    return moves * SIDE_BY_SIDE / (cpu_seconds(contender.server) - begun)


def _read(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--database", default="postgres://postgres@127.0.0.1:5432/postgres")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--moves", type=int, default=SHORT, help="measured in each of four matches")
    parser.add_argument("--matches", type=int, default=5, help="times that fresh matches are measured")
    parser.add_argument("--warm", type=int, default=100, help="moves before, in each of four other matches")
    parser.add_argument("--after", type=int, nargs="+", default=list(AFTER), help="so many moves")
    parser.add_argument("--compiled", action="store_true", help="measure with the compiled engine too")
    add_arguments(parser)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    main()
