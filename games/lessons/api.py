"""Endpoints of the lessons, for everybody."""

from collections.abc import Callable
from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import ANYONE, AccessRule
from games.api.idempotency import not_idempotent
from games.api.pagination import paginate_list
from games.api.schema.operations import Operation
from games.api.views import ApiView
from games.core.languages import negotiated_language, speaking
from games.lessons import operations
from games.lessons.queries import act_in_lesson, check_cards_in_lesson, list_lessons, read_lesson
from games.lessons.serializers import LessonActionsRequestSerializer, LessonCardsRequestSerializer


def _localized(request: Request, read: Callable[[], object]) -> Response:
    """Return a response in the language that the client prefers."""
    with speaking(negotiated_language(request.META.get("HTTP_ACCEPT_LANGUAGE", ""))):
        return Response(read(), headers={"Vary": "Accept-Language"})


class LessonsView(ApiView):
    """All lessons."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.LIST_LESSONS}
    strict_parameters: ClassVar[bool] = True

    def get(self, request: Request) -> Response:
        """List the lessons in the order of the course."""
        return _localized(request, lambda: paginate_list(request, list_lessons()))


class LessonView(ApiView):
    """One lesson."""

    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": operations.READ_LESSON}
    strict_parameters: ClassVar[bool] = True

    def get(self, request: Request, lesson: str) -> Response:
        """Return a lesson and its start."""
        return _localized(request, lambda: read_lesson(lesson))


class LessonActionView(ApiView):
    """Actions in a lesson."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.ACT_IN_LESSON}
    strict_parameters: ClassVar[bool] = True

    @not_idempotent  # changes nothing
    def post(self, request: Request, lesson: str) -> Response:
        """Judge an action, and return the replies to it."""
        body: dict[str, Any] = self.validated_body(LessonActionsRequestSerializer)
        return _localized(request, lambda: act_in_lesson(lesson, body["actions"]))


class LessonCheckView(ApiView):
    """The readings of cards in a lesson."""

    access: ClassVar[dict[str, AccessRule]] = {"POST": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"POST": operations.CHECK_IN_LESSON}
    strict_parameters: ClassVar[bool] = True

    @not_idempotent  # changes nothing
    def post(self, request: Request, lesson: str) -> Response:
        """Return every reading of some of the learner's cards."""
        body: dict[str, Any] = self.validated_body(LessonCardsRequestSerializer)
        return Response(
            check_cards_in_lesson(lesson, body.get("actions", []), cards=body["cards"], named=body.get("as"))
        )
