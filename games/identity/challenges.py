"""Which invitations a bot accepts, as its owner has declared."""

from collections.abc import Collection
from enum import StrEnum
from typing import NamedTuple, NoReturn, TypedDict

from games.core.errors import Problem
from games.core.languages import Text, message
from games.identity.models import ChallengePolicy, Opponents, Player, PlayerKind


class ChallengePolicyDocument(TypedDict):
    """Which invitations a bot accepts."""

    rulesets: list[str]
    players: list[int]
    min_turn_seconds: int | None
    max_turn_seconds: int | None
    without_clock: bool
    opponents: str
    rated: bool
    at_once: int
    auto_accept: bool


class ChallengeCondition(StrEnum):
    """The condition of a declaration that an invitation does not meet."""

    RULESETS = "rulesets"
    PLAYERS = "players"
    CLOCK = "clock"
    OPPONENTS = "opponents"
    RATED = "rated"
    AT_ONCE = "at_once"


class Challenge(NamedTuple):
    """An invitation to a match: its settings, and the kinds of the accounts that sit or create it."""

    ruleset: str
    players: int
    turn_seconds: int | None
    rated: bool
    kinds: Collection[str]


def find_policy(player: Player) -> ChallengePolicy | None:
    """Return the declaration of a bot, or `None` if it has none."""
    if player.kind != PlayerKind.BOT:
        return None
    return ChallengePolicy.objects.filter(bot=player).first()


def render_policy(policy: ChallengePolicy | None) -> ChallengePolicyDocument | None:
    """Render a declaration."""
    if policy is None:
        return None
    return {
        "rulesets": policy.rulesets,
        "players": policy.players,
        "min_turn_seconds": policy.min_turn_seconds,
        "max_turn_seconds": policy.max_turn_seconds,
        "without_clock": policy.without_clock,
        "opponents": policy.opponents,
        "rated": policy.rated,
        "at_once": policy.at_once,
        "auto_accept": policy.auto_accept,
    }


def check_challenge(bot: Player, policy: ChallengePolicy, challenge: Challenge, *, matches: int) -> None:
    """Raise `challenge_refused` if an invitation breaks the declaration of a bot.

    `matches` is how many matches the bot plays or is invited to; the caller has locked the bot.
    """
    name = bot.username
    if policy.rulesets and challenge.ruleset not in policy.rulesets:
        known = ", ".join(policy.rulesets)
        _refuse(
            ChallengeCondition.RULESETS,
            message("{name} plays only these rule sets: {known}.", name=name, known=known),
        )
    if challenge.players not in policy.players:
        known = ", ".join(map(str, policy.players))
        _refuse(
            ChallengeCondition.PLAYERS,
            message("{name} plays only with these numbers of players: {known}.", name=name, known=known),
        )
    _check_clock(name, policy, challenge.turn_seconds)
    _check_opponents(name, policy, challenge.kinds)
    if challenge.rated and not policy.rated:
        _refuse(ChallengeCondition.RATED, message("{name} plays no rated matches.", name=name))
    if matches >= policy.at_once:
        _refuse(
            ChallengeCondition.AT_ONCE,
            message("{name} plays at most {most} matches at once.", name=name, most=policy.at_once),
        )


def _check_clock(name: str, policy: ChallengePolicy, turn_seconds: int | None) -> None:
    if turn_seconds is None:
        if not policy.without_clock:
            _refuse(ChallengeCondition.CLOCK, message("{name} plays only with a clock.", name=name))
        return
    if policy.min_turn_seconds is not None and turn_seconds < policy.min_turn_seconds:
        least = policy.min_turn_seconds
        _refuse(
            ChallengeCondition.CLOCK,
            message("{name} needs at least {least} seconds for a turn.", name=name, least=least),
        )
    if policy.max_turn_seconds is not None and turn_seconds > policy.max_turn_seconds:
        most = policy.max_turn_seconds
        _refuse(
            ChallengeCondition.CLOCK,
            message("{name} plays with at most {most} seconds for a turn.", name=name, most=most),
        )


def _check_opponents(name: str, policy: ChallengePolicy, kinds: Collection[str]) -> None:
    are_bots = {kind == PlayerKind.BOT for kind in kinds}
    if policy.opponents == Opponents.HUMAN and True in are_bots:
        _refuse(ChallengeCondition.OPPONENTS, message("{name} plays only against people.", name=name))
    if policy.opponents == Opponents.BOT and False in are_bots:
        _refuse(ChallengeCondition.OPPONENTS, message("{name} plays only against bots.", name=name))


def _refuse(condition: ChallengeCondition, detail: Text) -> NoReturn:
    raise Problem("challenge_refused", detail, condition=condition)
