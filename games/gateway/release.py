"""The version of the release, which is that of the engine, the server, the clients and the contract."""

from engine.version import VERSION

__all__ = ["VERSION"]
