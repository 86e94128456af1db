"""OpenAPI operations of the lessons."""

from typing import Final

from games.api.schema.fields import CheckedSerializer
from games.api.schema.operations import LESSONS, OK, Link, Operation, Page
from games.lessons import serializers

_REFUSALS: Final = (
    "match_not_active",
    "award_due",
    "not_your_turn",
    "bet_closed",
    "bet_exists",
    "card_not_in_hand",
    "not_a_combination",
    "does_not_beat",
    "must_lead",
    "ambiguous_combination",
    "bet_invalid",
    "award_invalid",
)
LIST_LESSONS: Final = Operation(
    id="listLessons",
    summary="List the lessons",
    description="A course in the rules, in its order. Each lesson is played on a prepared deal.",
    tag=LESSONS,
    answers={OK: Page(serializers.LessonSerializer)},
    link_values={"lesson": "/results/0/key"},
)
READ_LESSON: Final = Operation(
    id="readLesson",
    summary="Get a lesson",
    description="The texts of a lesson, and the table at its start.",
    tag=LESSONS,
    answers={OK: serializers.WholeLessonSerializer},
    links=(Link("actInLesson", body={"actions": ["$response.body#/position/solution"]}),),
)
ACT_IN_LESSON: Final = Operation(
    id="actInLesson",
    summary="Act in a lesson",
    description=(
        "Nothing is stored: send the accepted actions so far and the new one as the last of `actions`. The "
        "rules are those of a match. An action that they allow, but that is not what the step asks for, is "
        "not accepted and gets a comment."
    ),
    tag=LESSONS,
    body=serializers.LessonActionsRequestSerializer,
    answers={OK: serializers.LessonResultSerializer},
    problems=_REFUSALS,
)
CHECK_IN_LESSON: Final = Operation(
    id="checkCardsInLesson",
    summary="List the combinations of cards in a lesson",
    description="Every reading of some cards of the learner, whether it can be played now, and if not, why.",
    tag=LESSONS,
    body=serializers.LessonCardsRequestSerializer,
    answers={OK: CheckedSerializer},
    problems=("card_not_in_hand",),
)
