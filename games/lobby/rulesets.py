"""Endpoints and schema of rule sets."""

from collections.abc import Callable
from typing import Any, ClassVar, Final

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import ANYONE, AccessRule
from games.api.conditional import Caching, conditional_response
from games.api.idempotency import not_idempotent
from games.api.pagination import paginate_list, text_parameter, validate_page_parameters
from games.api.schema import fields
from games.api.schema.fields import ResponseSerializer, enumeration, list_field, mapping_field
from games.api.schema.operations import OK, RULE_SETS, Link, Operation, Page, Parameter
from games.api.serializers import IntegerField, StrictBooleanField, StringField
from games.api.views import ApiView
from games.core.errors import Problem, invalid_field
from games.core.languages import message
from games.gateway.agreement import allowed_players, describe_rule_set, describe_rule_sets
from games.gateway.views import possible_readings
from games.play.serializers import CardsRequestSerializer


def _distinct_values(read: Callable[[Any], str]) -> list[str]:
    """Return the distinct values of a member of the rule sets."""
    return sorted({read(rule_set) for rule_set in describe_rule_sets()})


class CombinationRulesSerializer(ResponseSerializer):
    """The rules for combinations."""

    face_cards = enumeration(
        "FaceCards",
        _distinct_values(lambda rules: rules["combinations"]["face_cards"]),
        "The role of face cards.",
    )(help_text="The role of a face card in a run or stair. If it is only wild, runs and stairs end at ten.")
    text = list_field(StringField(), help_text="All of it in sentences.")


class ScoringSerializer(ResponseSerializer):
    """The rules for scoring."""

    points_per_card_left = IntegerField(
        help_text="Points for each card in the largest opposing hand, on going out."
    )
    first_out_bonus = IntegerField(help_text="Points for the first player to go out, with three players.")
    card_points = mapping_field(
        IntegerField(), help_text="The points of captured cards by rank. Other ranks are worth nothing."
    )
    final_hand = enumeration(
        "FinalHand",
        _distinct_values(lambda rules: rules["scoring"]["final_hand"]),
        "Who captures the last hand.",
    )(help_text="Who captures the cards left in the last hand.")
    haggis = enumeration(
        "HaggisTo", _distinct_values(lambda rules: rules["scoring"]["haggis"]), "Who captures the haggis."
    )(help_text="Who captures the haggis.")
    bet_succeeds = enumeration(
        "BetSucceeds",
        _distinct_values(lambda rules: rules["scoring"]["bet_succeeds"]),
        "When a bet succeeds.",
    )(help_text="What the bettor has to achieve.")
    bets_close = enumeration(
        "BetsClose", _distinct_values(lambda rules: rules["scoring"]["bets_close"]), "When bets close."
    )(help_text="When bets close for everybody. They close for each player with their own first play.")
    bet_split = StringField(help_text="How bets are paid, unless an option changes it.")
    text = list_field(StringField(), help_text="All of it in sentences.")


class DealingSerializer(ResponseSerializer):
    """The rules for dealing and leading."""

    has_dealer = StrictBooleanField(
        help_text="False if the game has no dealer: `dealer` is then always null."
    )
    lead_tie = StringField(help_text="Who leads if several players have the fewest points.")
    text = list_field(StringField(), help_text="All of it in sentences.")


class LengthSerializer(ResponseSerializer):
    """The length of matches."""

    default_target = IntegerField(help_text="The target score of a match that is created without a length.")
    suggested_targets = list_field(IntegerField())
    suggested_rounds = mapping_field(
        list_field(IntegerField()), help_text="Suggested numbers of rounds, by number of players."
    )
    text = list_field(StringField(), help_text="All of it in sentences.")


class OptionSerializer(ResponseSerializer):
    """An option of a rule set."""

    default = StringField()
    meaning = StringField()
    players = list_field(IntegerField(), help_text="The numbers of players for which there is a choice.")
    choices = mapping_field(StringField(), help_text="Every value with its meaning.")


class RulingSerializer(ResponseSerializer):
    """A decision on a rule whose text is ambiguous."""

    key = StringField()
    text = StringField()


class RuleSetSerializer(ResponseSerializer):
    """A rule set with everything needed to offer and explain it."""

    key = StringField()
    title = StringField()
    summary = StringField()
    version = StringField(
        help_text="Increases when the reading of a rule changes. Matches keep the version they started with."
    )
    players = list_field(IntegerField(), help_text="The possible numbers of players.")
    bets = list_field(IntegerField(), help_text="The amounts that can be bet, besides 0.")
    combinations = CombinationRulesSerializer()
    scoring = ScoringSerializer()
    dealing = DealingSerializer()
    length = LengthSerializer()
    options = mapping_field(OptionSerializer(), help_text="Options by name.")
    rulings = RulingSerializer(many=True)


LIST_RULESETS: Final = Operation(
    id="listRulesets",
    summary="List rule sets",
    description="All rule sets, with their options, scoring and rulings.",
    tag=RULE_SETS,
    answers={OK: Page(RuleSetSerializer)},
    link_values={"key": "/results/0/key"},
    conditional=True,
    links=(Link("createMatch", body={"ruleset": "$response.body#/results/0/key"}),),
)
READ_RULESET: Final = Operation(
    id="readRuleset",
    summary="Get a rule set",
    description=(
        "Everything needed to offer and explain a rule set. A match keeps the version it started with: "
        "request that one with `version`."
    ),
    tag=RULE_SETS,
    parameters=(
        Parameter(
            name="version",
            schema={"type": "string", "pattern": "^[0-9]{1,4}$"},
            description="The `ruleset_version` of a match. Left out: the current version.",
        ),
    ),
    answers={OK: RuleSetSerializer},
    conditional=True,
)


class ReadingsRequestSerializer(CardsRequestSerializer):
    """Cards of the deck for a number of players."""

    players = IntegerField(min_value=2, max_value=3, help_text="The number of players that the deck is for.")


READ_CARDS: Final = Operation(
    id="readCards",
    summary="List the combinations of any cards",
    description="Every reading of the cards, as if they were led. No match is needed.",
    tag=RULE_SETS,
    body=ReadingsRequestSerializer,
    answers={OK: fields.PossibleSerializer},
)


class RuleSetsView(ApiView):
    """All rule sets."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": LIST_RULESETS}

    def get(self, request: Request) -> Response:
        """List the rule sets."""
        validate_page_parameters(request)
        rule_sets = describe_rule_sets()
        versions = [(rule_set["key"], rule_set["version"]) for rule_set in rule_sets]
        # Paginate first, so that invalid parameters are refused in conditional requests too.
        page = paginate_list(request, rule_sets)
        return conditional_response(request, *versions, build=lambda: Response(page), caching=Caching.PUBLIC)


class RuleSetView(ApiView):
    """One rule set."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": READ_RULESET}

    def get(self, request: Request, key: str) -> Response:
        """Return the rule set with its options and rulings."""
        version = text_parameter(request, "version")
        rule_set = describe_rule_set(key, version)
        return conditional_response(
            request,
            key,
            rule_set["version"],
            build=lambda: Response(rule_set),
            caching=Caching.PUBLIC if version is None else Caching.FINAL,
        )


class ReadingsView(ApiView):
    """The readings of any cards, outside of a match."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": READ_CARDS}

    @not_idempotent  # changes nothing
    def post(self, request: Request, key: str) -> Response:
        """Return every reading of the cards, as if they were led."""
        body: dict[str, Any] = self.validated_body(ReadingsRequestSerializer)
        allowed = allowed_players(key)
        if body["players"] not in allowed:
            raise _invalid_players(allowed)
        return Response(
            possible_readings(key, players=body["players"], cards=body["cards"], named=body.get("as"))
        )


def _invalid_players(allowed: tuple[int, ...]) -> Problem:
    return invalid_field(
        "/players",
        "unknown_value",
        message(
            "This rule set is only for these numbers of players: {players}.",
            players=", ".join(map(str, allowed)),
        ),
    )
