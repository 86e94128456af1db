"""Load the weights that are part of the package; a JSON file beside each says how it was trained."""

from functools import cache
from pathlib import Path
from typing import Final

from engine.ai.network.arrays import np
from engine.ai.network.model import Network

FOLDER: Final = Path(__file__).parent.parent / "weights"


@cache
def network_for(players: int) -> Network:
    """Return the network for this number of players."""
    return read_network(players, FOLDER / file_for(players))


def file_for(players: int) -> str:
    """Return the file name of a network."""
    return f"players-{players}.npz"


def read_network(players: int, path: Path) -> Network:
    """Read a network from its file, which stores the weights in half precision."""
    with np.load(path, allow_pickle=False) as stored:
        return Network(players, {name: stored[name].astype(np.float32) for name in stored.files})
