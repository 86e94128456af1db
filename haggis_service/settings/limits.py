"""Default rate limits and match limits, which environment variables can change."""

from environ import Env

# Requests per seconds by name, counted per player, or per address for requests without a token.
DEFAULT_LIMITS = {
    "player": "600/60",
    "address": "300/60",
    "bots": "3000/60",  # requests of all bots of one owner together
    "revocations": "60/60",  # log-outs, revocations and lists of tokens, with one token
    "accounts": "30/3600",  # accounts created from one address
    "webhooks": "120/3600",  # webhooks and devices added, test deliveries and redeliveries from one address
    "hints": "60/60",  # hints for one player, each of which takes up to 0.1 s of CPU
    "actions": "5000/86400",  # changes of matches by one player and their bots, other than moves
    "vacations": "10/86400",  # changes of the vacation of one player, which extend many deadlines
    "analyses": "30/86400",  # analyses requested by one player and their bots
    "refused": "60/60",  # requests with an invalid token from one address
}

# Mails per seconds. Beyond the limit of notices they wait and are combined.
DEFAULT_MAIL_LIMITS = {
    "account": "10/3600",  # caused by one account
    "email": "10/86400",  # to one mailbox
    "source": "10/3600",  # requested from one network address
    "notices": "20/3600",  # about matches, to one player
}

# Matches of one player: created and waiting for players (not against AIs); created or joined, and unfinished.
MAX_OPEN_MATCHES = 50
MAX_MATCHES = 500
# Rounds of the matches that one player and their bots create in a day, about 30 kB stored for good each.
MAX_ROUNDS_A_DAY = 800
# Unfinished matches of one player in which only AIs play.
MAX_AI_MATCHES = 5
MAX_AI_MATCHES_GUEST = 1
# In development one player may create a whole test set, but a runaway script is still stopped.
MAX_MATCHES_IN_DEVELOPMENT = 10_000
MAX_ROUNDS_A_DAY_IN_DEVELOPMENT = 1_000_000

UNLIMITED: dict[str, tuple[int, int]] = {}


def limits(env: Env) -> dict[str, tuple[int, int]]:
    """Read the rate limits: HAGGIS_LIMIT_PLAYER=1200/60 allows a player 1200 requests a minute.

    >>> limits(Env())["accounts"]
    (30, 3600)
    """
    texts = {
        name: env.str(f"HAGGIS_LIMIT_{name.upper()}", default=text) for name, text in DEFAULT_LIMITS.items()
    }
    return {name: _parse_limit(text) for name, text in texts.items()}


def configured_limits(env: Env) -> dict[str, tuple[int, int]]:
    """Read the rate limits whose variables are set, for development, where no others apply."""
    return {
        name: limit for name, limit in limits(env).items() if f"HAGGIS_LIMIT_{name.upper()}" in env.ENVIRON
    }


def _parse_limit(text: str) -> tuple[int, int]:
    count, _, seconds = text.partition("/")
    return int(count), int(seconds)


MAIL_LIMITS = {name: _parse_limit(text) for name, text in DEFAULT_MAIL_LIMITS.items()}


def mail_limits(env: Env) -> dict[str, tuple[int, int]]:
    """Read the limits of mails: HAGGIS_LIMIT_MAILS for those of one network address, or with a suffix.

    >>> mail_limits(Env())["source"]
    (10, 3600)
    """
    variables = {name: f"HAGGIS_LIMIT_MAILS_{name.upper()}" for name in DEFAULT_MAIL_LIMITS}
    variables["source"] = "HAGGIS_LIMIT_MAILS"
    return {
        name: _parse_limit(env.str(variables[name], default=text))
        for name, text in DEFAULT_MAIL_LIMITS.items()
    }
