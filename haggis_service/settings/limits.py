"""How much one player and one address may ask for. Numbers for the environment to change."""

from environ import Env

# Name: how many requests in how many seconds, counted per player, or per address for whoever shows no token.
DEFAULT_LIMITS = {
    "player": "600/60",
    "address": "300/60",
    "accounts": "30/3600",  # accounts made from one address
    "mails": "10/3600",  # mails asked for from one address
    "webhooks": "120/3600",  # tests and repeated deliveries asked for from one address
    "refused": "60/60",  # tokens from one address that were none
}

# Matches of one player: made and still waiting for players; made, or played in, and not over.
MAX_OPEN_MATCHES = 50
MAX_MATCHES = 500
# At a desk one player may be a whole test; what a slip makes without end is stopped all the same.
MAX_MATCHES_IN_DEVELOPMENT = 10_000

UNLIMITED: dict[str, tuple[int, int]] = {}


def limits(env: Env) -> dict[str, tuple[int, int]]:
    """Read the limits: HAGGIS_LIMIT_PLAYER=1200/60 allows a player 1200 requests a minute.

    >>> limits(Env())["accounts"]
    (30, 3600)
    """
    texts = {
        name: env.str(f"HAGGIS_LIMIT_{name.upper()}", default=text) for name, text in DEFAULT_LIMITS.items()
    }
    return {name: _parse_limit(text) for name, text in texts.items()}


def _parse_limit(text: str) -> tuple[int, int]:
    count, _, seconds = text.partition("/")
    return int(count), int(seconds)
