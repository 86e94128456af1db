"""Request and response schemas of lessons."""

from typing import Any, Final

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from games.api.schema.fields import (
    LegalMovesSerializer,
    NamedCombinationSerializer,
    ResponseSerializer,
    Union,
    card_list,
    constant_field,
    list_field,
)
from games.api.schema.log import LogEntrySerializer, MovedSerializer
from games.api.schema.table import TableSerializer
from games.api.serializers import (
    Card,
    IntegerField,
    RequestSerializer,
    StrictBooleanField,
    StrictChoiceField,
    StringField,
)
from games.core.errors import FIELD_CODES
from games.play.serializers import MAX_CARDS, CardsRequestSerializer, NamedRequestSerializer

# More than any lesson takes: a round of practice ends after eight actions of each player.
MAX_ACTIONS: Final = 40
_LARGEST_BET: Final = 1_000
_LAST_SEAT: Final = 2


class PlayInLessonRequestSerializer(CardsRequestSerializer):
    """Play cards."""

    type = constant_field("play")


class PassInLessonRequestSerializer(RequestSerializer[Any]):
    """Pass."""

    type = constant_field("pass")


class BetInLessonRequestSerializer(RequestSerializer[Any]):
    """Bet points."""

    type = constant_field("bet")
    amount = IntegerField(min_value=0, max_value=_LARGEST_BET, help_text="15, 30, or 0 for no bet.")


class AwardInLessonRequestSerializer(RequestSerializer[Any]):
    """Award a bombed trick to a seat."""

    type = constant_field("award")
    to = IntegerField(min_value=0, max_value=_LAST_SEAT, help_text="The seat that captures the trick.")


ACTION_UNION: Final = Union(
    "LessonAction",
    {
        "play": PlayInLessonRequestSerializer,
        "pass": PassInLessonRequestSerializer,
        "bet": BetInLessonRequestSerializer,
        "award": AwardInLessonRequestSerializer,
    },
    description="An action in a lesson, by `type`.",
)
_MEMBERS: Final = {"play": ("cards", "as"), "pass": (), "bet": ("amount",), "award": ("to",)}
_OPTIONAL: Final = "as"


class LessonActionRequestSerializer(RequestSerializer[Any]):
    """An action in a lesson."""

    @classmethod
    def schema_union(cls) -> Union:
        """Describe the action as a union of its types."""
        return ACTION_UNION

    type = StrictChoiceField(choices=tuple(_MEMBERS))
    cards = list_field(Card(), min_length=1, max_length=MAX_CARDS, required=False)
    amount = IntegerField(min_value=0, max_value=_LARGEST_BET, required=False)
    to = IntegerField(min_value=0, max_value=_LAST_SEAT, required=False)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add `as`, which is a reserved word in Python."""
        return {**super().get_fields(), "as": NamedRequestSerializer(required=False, allow_null=True)}

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require exactly the members of this type of action, and each card at most once."""
        members = _MEMBERS[attrs["type"]]
        errors = {name: _error("unknown_field") for name in attrs if name not in {"type", *members}}
        errors |= {name: _error("required") for name in members if name not in attrs and name != _OPTIONAL}
        cards = attrs.get("cards", [])
        if len(set(cards)) < len(cards):
            errors["cards"] = _error("card_twice")
        if errors:
            raise ValidationError(errors)
        return attrs


def _error(code: str) -> list[ErrorDetail]:
    return [ErrorDetail(FIELD_CODES[code], code)]


class LessonActionsRequestSerializer(RequestSerializer[Any]):
    """All actions of the learner from the start of the lesson."""

    actions = serializers.ListField(
        child=LessonActionRequestSerializer(),
        min_length=1,
        max_length=MAX_ACTIONS,
        help_text="The accepted actions so far, in order, and the new one as the last.",
    )


class LessonCardsRequestSerializer(CardsRequestSerializer):
    """Cards of the learner, after some actions of a lesson."""

    actions = serializers.ListField(
        child=LessonActionRequestSerializer(),
        max_length=MAX_ACTIONS,
        required=False,
        help_text="The accepted actions so far, in order. Left out: none.",
    )


class LessonSerializer(ResponseSerializer):
    """A lesson."""

    key = StringField(help_text="The name of the lesson in its URL.")
    title = StringField()
    summary = StringField(help_text="What the lesson teaches.")
    players = IntegerField(min_value=2, max_value=3)
    steps = IntegerField(
        min_value=1,
        allow_null=True,
        help_text="The number of actions that it takes; null for practice, in which you play as you like.",
    )


class SolutionSerializer(ResponseSerializer):
    """An action, as in a request."""

    type = StrictChoiceField(choices=tuple(_MEMBERS), help_text="The type of the action.")
    cards = card_list(required=False, help_text="`play`")
    amount = IntegerField(min_value=0, required=False, help_text="`bet`")
    to = IntegerField(min_value=0, max_value=2, required=False, help_text="`award`")

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add `as`, which is a reserved word in Python."""
        return {
            **super().get_fields(),
            "as": NamedCombinationSerializer(required=False, help_text="`play`: the combination."),
        }


class LessonPositionSerializer(ResponseSerializer):
    """The state of a lesson."""

    step = IntegerField(min_value=0, help_text="The number of actions that were accepted.")
    done = StrictBooleanField(help_text="Whether the lesson is complete.")
    task = StringField(allow_null=True, help_text="What to do next; null at the end.")
    solution = SolutionSerializer(allow_null=True, help_text="The action that does it; null at the end.")
    match = TableSerializer(help_text="The table, as the learner sees it. It is not stored as a match.")
    legal_moves = LegalMovesSerializer(
        allow_null=True, help_text="The legal moves of the learner; null if it is not their turn."
    )


class WholeLessonSerializer(LessonSerializer):
    """A lesson with its texts and its start."""

    introduction = StringField()
    conclusion = StringField(help_text="What to read when the lesson is complete.")
    next = StringField(allow_null=True, help_text="The key of the next lesson; null for the last one.")
    log = LogEntrySerializer(many=True, help_text="What happened in the round before the lesson starts.")
    position = LessonPositionSerializer()


class LessonResultSerializer(ResponseSerializer):
    """The result of an action in a lesson."""

    accepted = StrictBooleanField(
        help_text="False if the action is legal, but not what the step asks for: nothing changes then."
    )
    comment = StringField(allow_null=True, help_text="What to say about the action; null in practice.")
    moves = MovedSerializer(
        many=True, help_text="The action and the replies of the opponents, each with the table after it."
    )
    position = LessonPositionSerializer()
