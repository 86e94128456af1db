"""The endpoint that shows a caller its rate limits."""

from typing import ClassVar, Final

from django.conf import settings
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import ANYONE, AccessRule, current_player, require_token
from games.api.schema.fields import ResponseSerializer, list_field
from games.api.schema.operations import CONTRACT, OK, Operation
from games.api.serializers import IntegerField, StringField
from games.api.throttling import account_key, caller_limit
from games.api.views import ApiView
from games.core.addresses import client_address
from games.core.rate_limits import RateLimitState, read_limits

# What each limit counts, in the order of the response.
DESCRIPTIONS: Final = {
    "player": "Requests of the player.",
    "bots": "Requests of all bots of the owner.",
    "address": "Requests without a token from the address.",
    "refused": "Requests with an invalid token from the address.",
    "revocations": "Log-outs, and lists and revocations of tokens and sessions, with the token.",
    "accounts": "Accounts created from the address.",
    "actions": "Changes of matches other than moves, by the player and their bots.",
    "hints": "Hints for the player and their bots.",
    "analyses": "Analyses requested by the player and their bots.",
    "vacations": "Changes of the vacation.",
    "webhooks": "Webhooks and devices added or changed, and test deliveries, from the address.",
}


class RateLimitSerializer(ResponseSerializer):
    """A rate limit and what is left of it."""

    name = StringField(help_text="The name, as in the `RateLimit` header.")
    description = StringField(help_text="What is counted.")
    limit = IntegerField(min_value=1, help_text="How many are allowed in a window.")
    window = IntegerField(min_value=1, help_text="The length of a window in seconds.")
    remaining = IntegerField(min_value=0, help_text="How many are left in this window.")
    seconds_left = IntegerField(min_value=0, help_text="When the next window begins.")


class RateLimitsSerializer(ResponseSerializer):
    """The rate limits of the caller. A limit that is not listed does not apply."""

    limits = list_field(RateLimitSerializer(), help_text="The limits; empty on a server without any.")


class LimitsView(ApiView):
    """The rate limits of the caller."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    strict_parameters = True
    operations: ClassVar[dict[str, Operation]] = {
        "GET": Operation(
            id="readLimits",
            summary="Your rate limits",
            description=(
                "All rate limits that apply to the caller, with what is left of each. A response with status "
                "304 costs a tenth of a request; open streams cost nothing. Limits of more than 100 requests "
                "a minute are counted in steps of up to ten requests for each process of the server, so "
                "slightly more may be left than is shown."
            ),
            tag=CONTRACT,
            answers={OK: RateLimitsSerializer},
        )
    }

    def get(self, request: Request) -> Response:
        """Return the limits in force for the caller."""
        clients = {name: key for name, key in _counters(request).items() if name in settings.HAGGIS_LIMITS}
        states = {state.name: state for state in read_limits(clients)}
        return Response({"limits": [_render(states[name]) for name in DESCRIPTIONS if name in states]})


def _counters(request: Request) -> dict[str, str]:
    """Return the key of the caller for each limit."""
    address, player = f"a{client_address(request)}", current_player(request)
    counters = dict([caller_limit(request)]) | dict.fromkeys(("accounts", "webhooks"), address)
    if player is None:
        return counters | {"refused": address}
    shared = dict.fromkeys(("actions", "hints", "analyses", "vacations"), account_key(player))
    return counters | shared | {"revocations": f"t{require_token(request).digest}"}


def _render(state: RateLimitState) -> dict[str, object]:
    return {
        "name": state.name,
        "description": DESCRIPTIONS[state.name],
        "limit": state.limit,
        "window": state.window,
        "remaining": max(0, state.remaining),
        "seconds_left": state.seconds_left,
    }
