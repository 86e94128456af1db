"""The weights that come with the package, read once. How they were made stands beside them."""

from functools import cache
from pathlib import Path
from typing import Final

from engine.ai.network.arrays import np
from engine.ai.network.model import Network

FOLDER: Final = Path(__file__).parent.parent / "weights"


@cache
def network_for(players: int) -> Network:
    """The network for so many players."""
    return read_network(players, FOLDER / file_for(players))


def file_for(players: int) -> str:
    """What the file of a network is called."""
    return f"players-{players}.npz"


def read_network(players: int, path: Path) -> Network:
    """A network from its file, in which the weights are kept in half precision."""
    with np.load(path, allow_pickle=False) as stored:
        return Network(players, {name: stored[name].astype(np.float32) for name in stored.files})
