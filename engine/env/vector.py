"""Many games stepped together: arrays of observations, masks, rewards and actions, one row for each game.

    games = VectorGames(Config(players=2), games=64, seed=1)
    while learning:
        actions = policy(games.observations, games.masks)  # one action for each game
        games.step(actions)
        learn(games.rewards, games.dones)

When a game is over, the next one is dealt at once. `ProcessGames` is the same with several processes: it
pays off where choosing actions is cheap compared with playing them.
"""

from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnContext
from random import Random
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from engine.env.actions import ACTIONS
from engine.env.observations import SIZE
from engine.env.table import Config, Table

Actions = NDArray[np.int64]

_SEEDS: Final = 2**63
STOP_SECONDS: Final = 5


class Arrays:
    """The arrays of some games: the state before the next step, and the results of the last one.

    `observations` and `masks` are those of the seat to act, which is in `seats`. `rewards` are those of the
    last step for every seat, and `dones` says whether it ended the game.
    """

    def __init__(self, games: int, players: int, memory: dict[str, Any] | None = None) -> None:
        """Create the arrays, in the given shared memory if there is one."""
        given = memory or {}

        def array(name: str, shape: tuple[int, ...], kind: type[np.generic]) -> NDArray[Any]:
            if name in given:
                return np.frombuffer(given[name], kind).reshape(shape)
            return np.zeros(shape, kind)

        self.observations: NDArray[np.float32] = array("observations", (games, SIZE), np.float32)
        self.masks: NDArray[np.int8] = array("masks", (games, ACTIONS), np.int8)
        self.seats: NDArray[np.int64] = array("seats", (games,), np.int64)
        self.rewards: NDArray[np.float32] = array("rewards", (games, players), np.float32)
        self.dones: NDArray[np.bool_] = array("dones", (games,), np.bool_)
        self.actions: Actions = array("actions", (games,), np.int64)


class VectorGames:
    """Games in this process."""

    def __init__(self, config: Config, *, games: int, seed: int, arrays: Arrays | None = None) -> None:
        """Deal all games; the same seed gives the same deals."""
        self._config: Final = config
        self._seeds: Final = Random(seed)  # noqa: S311 -- seeds of games, not secrets
        self._arrays: Final = Arrays(games, config.players) if arrays is None else arrays
        self._tables: Final = [self._deal() for _ in range(games)]
        for index in range(games):
            self._write(index)

    @property
    def observations(self) -> NDArray[np.float32]:
        """What the seats to act see."""
        return self._arrays.observations

    @property
    def masks(self) -> NDArray[np.int8]:
        """Which actions the seats to act may take."""
        return self._arrays.masks

    @property
    def seats(self) -> NDArray[np.int64]:
        """The seats to act."""
        return self._arrays.seats

    @property
    def rewards(self) -> NDArray[np.float32]:
        """The rewards of the last step, for every seat."""
        return self._arrays.rewards

    @property
    def dones(self) -> NDArray[np.bool_]:
        """Whether the last step ended the game, so that another one was dealt."""
        return self._arrays.dones

    def step(self, actions: Actions) -> None:
        """Take one action in every game; raise `IllegalAction` for one that is not in its mask."""
        for index, action in enumerate(actions.tolist()):
            table = self._tables[index]
            self._arrays.rewards[index] = table.step(action)
            self._arrays.dones[index] = table.is_over
            if table.is_over:
                self._tables[index] = self._deal()
            self._write(index)

    def _deal(self) -> Table:
        return Table(self._config, self._seeds.randrange(_SEEDS))

    def _write(self, index: int) -> None:
        table = self._tables[index]
        self._arrays.seats[index] = table.seat
        table.write_observation(self._arrays.observations[index], table.seat)
        table.write_mask(self._arrays.masks[index])


class ProcessGames:
    """Games in several processes, which write into arrays that all of them share.

    Use it as a context manager, or call `close`.
    """

    def __init__(self, config: Config, *, games: int, processes: int, seed: int) -> None:
        """Start the processes; `games` are divided among them and must be a multiple of their number."""
        if processes < 1 or games % processes:
            raise ValueError("The number of games must be a multiple of the number of processes.")
        context = get_context("spawn")
        memory = _shared_memory(context, games, config.players)
        self._arrays: Final = Arrays(games, config.players, memory)
        self._connections: Final[list[Connection]] = []
        self._processes: Final = []
        each = games // processes
        for number in range(processes):
            ours, theirs = context.Pipe()
            rows = slice(number * each, (number + 1) * each)
            process = context.Process(
                target=_work, args=(theirs, config, memory, games, rows, seed + number), daemon=True
            )
            process.start()
            theirs.close()
            self._connections.append(ours)
            self._processes.append(process)
        self._wait()

    observations = property(lambda self: self._arrays.observations)
    masks = property(lambda self: self._arrays.masks)
    seats = property(lambda self: self._arrays.seats)
    rewards = property(lambda self: self._arrays.rewards)
    dones = property(lambda self: self._arrays.dones)

    def step(self, actions: Actions) -> None:
        """Take one action in every game."""
        self._arrays.actions[:] = actions
        for connection in self._connections:
            connection.send(True)  # noqa: FBT003 -- a message: step once more
        self._wait()

    def close(self) -> None:
        """Stop the processes."""
        for connection in self._connections:
            with suppress(OSError):
                connection.send(False)  # noqa: FBT003 -- a message: stop
        for process in self._processes:
            process.join(STOP_SECONDS)
            if process.is_alive():
                process.kill()

    def __enter__(self) -> Self:
        """Return the games."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the processes."""
        self.close()

    def _wait(self) -> None:
        """Wait for all processes; raise the error of one that failed."""
        for connection in self._connections:
            failure = connection.recv()
            if failure is not None:
                self.close()
                raise failure


def _shared_memory(context: SpawnContext, games: int, players: int) -> dict[str, Any]:
    """Return shared memory for each array."""
    arrays = Arrays(games, players)
    return {name: context.RawArray("b", array.nbytes) for name, array in vars(arrays).items()}


def _work(
    connection: Connection, config: Config, memory: dict[str, Any], games: int, rows: slice, seed: int
) -> None:
    """Step some of the games whenever asked, until asked to stop."""
    whole = Arrays(games, config.players, memory)
    part = Arrays.__new__(Arrays)
    for name, array in vars(whole).items():
        setattr(part, name, array[rows])
    try:
        played = VectorGames(config, games=rows.stop - rows.start, seed=seed, arrays=part)
        connection.send(None)
        while connection.recv():
            played.step(part.actions)
            connection.send(None)
    except EOFError:
        return
    except Exception as failure:  # noqa: BLE001 -- the process that started this one raises it
        connection.send(failure)
