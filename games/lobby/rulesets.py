"""Endpoints and schema of rule sets."""

from collections.abc import Callable
from typing import Any, ClassVar, Final

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import ANYONE, AccessRule
from games.api.conditional import conditional_response
from games.api.idempotency import not_idempotent
from games.api.pagination import paginate_list, text_parameter, validate_page_parameters
from games.api.schema import fields
from games.api.schema.fields import ResponseSerializer, enumeration, list_field, mapping_field
from games.api.schema.operations import OK, RULE_SETS, Link, Operation, Page, Parameter
from games.api.serializers import IntegerField, StrictBooleanField, StringField
from games.api.views import ApiView
from games.core.errors import Problem, invalid_field
from games.gateway.agreement import allowed_players, describe_rule_set, describe_rule_sets
from games.gateway.views import possible_readings
from games.play.serializers import CardsRequestSerializer


def _values(read: Callable[[Any], str]) -> list[str]:
    """Every value that some rule set has."""
    return sorted({read(form) for form in describe_rule_sets()})


class CombinationRulesSerializer(ResponseSerializer):
    """What is particular about combinations."""

    face_cards = enumeration("FaceCards", _values(lambda form: form["combinations"]["face_cards"]), "What.")(
        help_text="What a face card is in a run or stair. Where it is wild only, none goes above ten."
    )
    text = list_field(StringField(), help_text="All of it in sentences.")


class ScoringSerializer(ResponseSerializer):
    """What scores, and for whom."""

    points_per_card_left = IntegerField(help_text="For each card in the largest opposing hand, on going out.")
    first_out_bonus = IntegerField(help_text="Three players: for the first to go out.")
    card_points = mapping_field(
        IntegerField(), help_text="What a captured card is worth, by rank; others nothing."
    )
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
    bet_split = StringField(help_text="How bets are paid, unless an option says otherwise.")
    text = list_field(StringField(), help_text="All of it in sentences.")


class DealingSerializer(ResponseSerializer):
    """Who deals and who leads."""

    has_dealer = StrictBooleanField(help_text="False where nobody deals: then `dealer` is null everywhere.")
    lead_tie = StringField(help_text="Who leads where several have the fewest points.")
    text = list_field(StringField(), help_text="All of it in sentences.")


class LengthSerializer(ResponseSerializer):
    """How long a match is."""

    default_target = IntegerField(help_text="The target of a match that says nothing of its length.")
    suggested_targets = list_field(IntegerField())
    suggested_rounds = mapping_field(list_field(IntegerField()), help_text="By number of players.")
    text = list_field(StringField(), help_text="All of it in sentences.")


class OptionSerializer(ResponseSerializer):
    """Something to agree on before a match."""

    default = StringField()
    meaning = StringField()
    players = list_field(IntegerField(), help_text="For how many players there is a choice.")
    choices = mapping_field(StringField(), help_text="Every value with what it means.")


class RulingSerializer(ResponseSerializer):
    """What was decided where the text of the rules leaves two readings."""

    key = StringField()
    text = StringField()


class RuleSetSerializer(ResponseSerializer):
    """A rule set with all that is needed to offer it and to explain it."""

    key = StringField()
    title = StringField()
    summary = StringField()
    version = StringField(
        help_text="Grows when a rule is read differently; matches keep the one they began with."
    )
    players = list_field(IntegerField(), help_text="For how many players it is.")
    bets = list_field(IntegerField(), help_text="What may be bet, besides 0.")
    combinations = CombinationRulesSerializer()
    scoring = ScoringSerializer()
    dealing = DealingSerializer()
    length = LengthSerializer()
    options = mapping_field(OptionSerializer(), help_text="By name.")
    rulings = RulingSerializer(many=True)


LIST_RULESETS: Final = Operation(
    id="listRulesets",
    summary="Every rule set",
    description="All that matches can be played by, with options, scoring and rulings.",
    tag=RULE_SETS,
    answers={OK: Page(RuleSetSerializer)},
    makes={"key": "/results/0/key"},
    conditional=True,
    leads=(Link("createMatch", body={"ruleset": "$response.body#/results/0/key"}),),
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
    answers={OK: RuleSetSerializer},
    conditional=True,
)


class ReadingsRequestSerializer(CardsRequestSerializer):
    """Any cards of a deck for so many players."""

    players = IntegerField(min_value=2, max_value=3, help_text="For how many players the deck is.")


READ_CARDS: Final = Operation(
    id="readCards",
    summary="What any cards can be",
    description="Every reading, as if they were led. No match is needed.",
    tag=RULE_SETS,
    body=ReadingsRequestSerializer,
    answers={OK: fields.PossibleSerializer},
)


class RuleSetsView(ApiView):
    """Every rule set."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": LIST_RULESETS}

    def get(self, request: Request) -> Response:
        """List them."""
        validate_page_parameters(request)
        forms = describe_rule_sets()
        versions = [(form["key"], form["version"]) for form in forms]
        page = paginate_list(
            request, forms
        )  # first, so that what cannot be read is refused however it is asked
        return conditional_response(request, *versions, build=lambda: Response(page))


class RuleSetView(ApiView):
    """One rule set."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": READ_RULESET}

    def get(self, request: Request, key: str) -> Response:
        """Show it with its options and rulings."""
        form = describe_rule_set(key, text_parameter(request, "version"))
        return conditional_response(request, key, form["version"], build=lambda: Response(form))


class ReadingsView(ApiView):
    """What cards can be, no match needed."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": READ_CARDS}

    @not_idempotent  # nothing is done
    def post(self, request: Request, key: str) -> Response:
        """Give every reading of the cards, as if they were led."""
        body: dict[str, Any] = self.read(ReadingsRequestSerializer)
        allowed = allowed_players(key)
        if body["players"] not in allowed:
            raise _wrong_number(allowed)
        return Response(
            possible_readings(key, players=body["players"], cards=body["cards"], named=body.get("as"))
        )


def _wrong_number(allowed: tuple[int, ...]) -> Problem:
    return invalid_field("/players", "unknown_value", f"It is for {' or '.join(map(str, allowed))} players.")
