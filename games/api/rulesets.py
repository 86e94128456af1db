"""The rule sets that matches are played by, and what cards can be under them."""

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.conditional import conditionally
from games.api.idempotency import never_kept
from games.api.lobby import operations as lobby
from games.api.paging import page_of_few, refuse_unreadable
from games.api.parameters import text_parameter
from games.api.permissions import ANYONE, Needs
from games.api.schema.operation import Operation
from games.api.table import operations as table
from games.api.table.shapes import ReadingsShape
from games.api.view import ApiView
from games.errors import Problem, invalid
from games.gateway.agreement import players_of, rule_set_form, rule_set_forms
from games.gateway.views import readings_anywhere


class RuleSetsView(ApiView):
    """Every rule set."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": lobby.LIST_RULESETS}

    def get(self, request: Request) -> Response:
        """List them."""
        refuse_unreadable(request)
        forms = rule_set_forms()
        versions = [(form["key"], form["version"]) for form in forms]
        page = page_of_few(
            request, forms
        )  # first, so that what cannot be read is refused however it is asked
        return conditionally(request, *versions, build=lambda: Response(page))


class RuleSetView(ApiView):
    """One rule set."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": lobby.READ_RULESET}

    def get(self, request: Request, key: str) -> Response:
        """Show it with its options and rulings."""
        form = rule_set_form(key, text_parameter(request, "version"))
        return conditionally(request, key, form["version"], build=lambda: Response(form))


class ReadingsView(ApiView):
    """What cards can be, no match needed."""

    access: ClassVar[dict[str, Needs]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": table.READ_CARDS}

    @never_kept  # nothing is done
    def post(self, request: Request, key: str) -> Response:
        """Give every reading of the cards, as if they were led."""
        body: dict[str, Any] = self.read(ReadingsShape)
        allowed = players_of(key)
        if body["players"] not in allowed:
            raise _wrong_number(allowed)
        return Response(
            readings_anywhere(key, players=body["players"], cards=body["cards"], named=body.get("as"))
        )


def _wrong_number(allowed: tuple[int, ...]) -> Problem:
    return invalid("/players", "unknown_value", f"It is for {' or '.join(map(str, allowed))} players.")
