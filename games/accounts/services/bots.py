"""Change bots, and declare which invitations they accept."""

from typing import NotRequired, TypedDict

from django.db import transaction

from games.accounts.services.names import validated_display_name
from games.accounts.services.sign_in import get_own_bot
from games.core.errors import invalid_field
from games.core.languages import message
from games.gateway.agreement import rule_set_keys
from games.identity.models import ChallengePolicy, Player
from games.identity.services import lock_player


class ChallengesBody(TypedDict):
    """The invitations that a bot accepts, as its owner sends them."""

    rulesets: list[str]
    players: list[int]
    min_turn_seconds: int | None
    max_turn_seconds: int | None
    without_clock: bool
    opponents: str
    rated: bool
    at_once: int
    auto_accept: bool


class BotChanges(TypedDict):
    """The fields of a bot to change."""

    display_name: NotRequired[str]
    challenges: NotRequired[ChallengesBody | None]


def change_bot(*, owner: Player, username: str, changes: BotChanges) -> Player:
    """Change a bot of this owner; matches and invitations that it has already stay as they are."""
    bot = get_own_bot(owner, username)
    with transaction.atomic():
        bot = lock_player(bot)
        if "display_name" in changes:
            bot.display_name = validated_display_name(changes["display_name"], bot)
            bot.save(update_fields=["display_name"])
        if "challenges" in changes:
            _declare(bot, changes["challenges"])
    return Player.objects.select_related("owner", "challenge_policy").get(pk=bot.pk)


def _declare(bot: Player, challenges: ChallengesBody | None) -> None:
    """Replace the declaration of a bot; with `None` anyone can invite it to anything."""
    if challenges is None:
        ChallengePolicy.objects.filter(bot=bot).delete()
        return
    for index, key in enumerate(challenges["rulesets"]):
        if key not in rule_set_keys():
            raise invalid_field(
                f"/challenges/rulesets/{index}",
                "unknown_ruleset",
                message("The rule set must be one of {keys}.", keys=", ".join(rule_set_keys())),
            )
    shortest, longest = challenges["min_turn_seconds"], challenges["max_turn_seconds"]
    if shortest is not None and longest is not None and longest < shortest:
        raise invalid_field(
            "/challenges/max_turn_seconds",
            "too_small",
            message("The longest turn is shorter than the shortest one."),
        )
    values = {
        **challenges,
        "rulesets": sorted(set(challenges["rulesets"])),
        "players": sorted(set(challenges["players"])),
    }
    ChallengePolicy.objects.update_or_create(bot=bot, defaults=values)
