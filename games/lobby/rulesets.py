"""Endpoints and schema of rule sets."""

from collections.abc import Callable
from typing import Any, ClassVar, Final

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import ANYONE, Needs
from games.api.conditional import conditionally
from games.api.idempotency import never_kept
from games.api.pagination import page_of_few, refuse_unreadable, text_parameter
from games.api.schema import fields
from games.api.schema.fields import Form, enumeration, list_of, mapping_of
from games.api.schema.operations import OK, RULE_SETS, Lead, Operation, Page, Parameter
from games.api.serializers import Flag, Text, Whole
from games.api.views import ApiView
from games.core.errors import Problem, invalid
from games.gateway.agreement import players_of, rule_set_form, rule_set_forms
from games.gateway.views import readings_anywhere
from games.play.serializers import CardsShape


def _values(read: Callable[[Any], str]) -> list[str]:
    """Every value that some rule set has."""
    return sorted({read(form) for form in rule_set_forms()})


class CombinationRulesForm(Form):
    """What is particular about combinations."""

    face_cards = enumeration("FaceCards", _values(lambda form: form["combinations"]["face_cards"]), "What.")(
        help_text="What a face card is in a run or stair. Where it is wild only, none goes above ten."
    )
    text = list_of(Text(), help_text="All of it in sentences.")


class ScoringForm(Form):
    """What scores, and for whom."""

    points_per_card_left = Whole(help_text="For each card in the largest opposing hand, on going out.")
    first_out_bonus = Whole(help_text="Three players: for the first to go out.")
    card_points = mapping_of(Whole(), help_text="What a captured card is worth, by rank; others nothing.")
    final_hand = enumeration("FinalHand", _values(lambda form: form["scoring"]["final_hand"]), "To whom.")(
        help_text="Who captures the cards left in the last hand."
    )
    haggis = enumeration("HaggisTo", _values(lambda form: form["scoring"]["haggis"]), "To whom.")(
        help_text="Who captures the haggis."
    )
    bet_succeeds = enumeration("BetSucceeds", _values(lambda form: form["scoring"]["bet_succeeds"]), "When.")(
        help_text="What the bettor has to do."
    )
    bets_close = enumeration("BetsClose", _values(lambda form: form["scoring"]["bets_close"]), "When.")(
        help_text="When bets close for everybody; for each player they close with the own first play."
    )
    bet_split = Text(help_text="How bets are paid, unless an option says otherwise.")
    text = list_of(Text(), help_text="All of it in sentences.")


class DealingForm(Form):
    """Who deals and who leads."""

    has_dealer = Flag(help_text="False where nobody deals: then `dealer` is null everywhere.")
    lead_tie = Text(help_text="Who leads where several have the fewest points.")
    text = list_of(Text(), help_text="All of it in sentences.")


class LengthForm(Form):
    """How long a match is."""

    default_target = Whole(help_text="The target of a match that says nothing of its length.")
    suggested_targets = list_of(Whole())
    suggested_rounds = mapping_of(list_of(Whole()), help_text="By number of players.")
    text = list_of(Text(), help_text="All of it in sentences.")


class OptionForm(Form):
    """Something to agree on before a match."""

    default = Text()
    meaning = Text()
    players = list_of(Whole(), help_text="For how many players there is a choice.")
    choices = mapping_of(Text(), help_text="Every value with what it means.")


class RulingForm(Form):
    """What was decided where the text of the rules leaves two readings."""

    key = Text()
    text = Text()


class RuleSetForm(Form):
    """A rule set with all that is needed to offer it and to explain it."""

    key = Text()
    title = Text()
    summary = Text()
    version = Text(help_text="Grows when a rule is read differently; matches keep the one they began with.")
    players = list_of(Whole(), help_text="For how many players it is.")
    bets = list_of(Whole(), help_text="What may be bet, besides 0.")
    combinations = CombinationRulesForm()
    scoring = ScoringForm()
    dealing = DealingForm()
    length = LengthForm()
    options = mapping_of(OptionForm(), help_text="By name.")
    rulings = RulingForm(many=True)


LIST_RULESETS: Final = Operation(
    id="listRulesets",
    summary="Every rule set",
    description="All that matches can be played by, with options, scoring and rulings.",
    tag=RULE_SETS,
    answers={OK: Page(RuleSetForm)},
    makes={"key": "/results/0/key"},
    conditional=True,
    leads=(Lead("createMatch", body={"ruleset": "$response.body#/results/0/key"}),),
)
READ_RULESET: Final = Operation(
    id="readRuleset",
    summary="One rule set",
    description=(
        "All that is needed to offer it and to explain it. A match keeps the version it began with: ask for "
        "that one with `version`."
    ),
    tag=RULE_SETS,
    parameters=(
        Parameter(
            name="version",
            schema={"type": "string", "pattern": "^[0-9]{1,4}$"},
            description="The `ruleset_version` of a match; left out: the present one.",
        ),
    ),
    answers={OK: RuleSetForm},
    conditional=True,
)


class ReadingsShape(CardsShape):
    """Any cards of a deck for so many players."""

    players = Whole(min_value=2, max_value=3, help_text="For how many players the deck is.")


READ_CARDS: Final = Operation(
    id="readCards",
    summary="What any cards can be",
    description="Every reading, as if they were led. No match is needed.",
    tag=RULE_SETS,
    body=ReadingsShape,
    answers={OK: fields.PossibleForm},
)


class RuleSetsView(ApiView):
    """Every rule set."""

    access: ClassVar[dict[str, Needs]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": LIST_RULESETS}

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
    operations: ClassVar[dict[str, Operation]] = {"GET": READ_RULESET}

    def get(self, request: Request, key: str) -> Response:
        """Show it with its options and rulings."""
        form = rule_set_form(key, text_parameter(request, "version"))
        return conditionally(request, key, form["version"], build=lambda: Response(form))


class ReadingsView(ApiView):
    """What cards can be, no match needed."""

    access: ClassVar[dict[str, Needs]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": READ_CARDS}

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
