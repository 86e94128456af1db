"""The rule sets that matches are played by, and what cards can be under them."""

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.conditional import conditionally
from games.api.idempotency import never_kept
from games.api.paging import page_of_few
from games.api.permissions import ANYONE, Needs
from games.api.shapes import Whole
from games.api.table.shapes import CardsShape
from games.api.view import ApiView
from games.errors import Problem, invalid
from games.gateway.agreement import players_of, rule_set_form, rule_set_forms
from games.gateway.views import readings_anywhere


class RuleSetsView(ApiView):
    """Every rule set."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE}

    def get(self, request: Request) -> Response:
        """List them."""
        forms = rule_set_forms()
        versions = [(form["key"], form["version"]) for form in forms]
        return conditionally(request, *versions, build=lambda: Response(page_of_few(request, forms)))


class RuleSetView(ApiView):
    """One rule set."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE}

    def get(self, request: Request, key: str) -> Response:
        """Show it with its options and rulings."""
        form = rule_set_form(key)
        return conditionally(request, key, form["version"], build=lambda: Response(form))


class ReadingsShape(CardsShape):
    """Any cards of a deck for so many players."""

    players = Whole(min_value=2, max_value=3)


class ReadingsView(ApiView):
    """What cards can be, no match needed."""

    access: ClassVar[dict[str, Needs]] = {"POST": ANYONE}

    @never_kept  # nothing is done
    def post(self, request: Request, key: str) -> Response:
        """Give every reading of the cards, as if they were led."""
        body: dict[str, Any] = self.read(ReadingsShape)
        allowed = players_of(key)
        if body["players"] not in allowed:
            raise _wrong_number(allowed)
        return Response(readings_anywhere(players=body["players"], cards=body["cards"], named=body.get("as")))


def _wrong_number(allowed: tuple[int, ...]) -> Problem:
    return invalid("/players", "unknown_value", f"It is for {' or '.join(map(str, allowed))} players.")
