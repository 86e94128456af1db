"""The JSON documents of lessons that clients receive."""

from typing import TypedDict

from games.gateway.documents import ActionMembers, LogEntry
from games.matches.documents import MoveResultDocument, TableDocument
from games.play.queries import VersionedLegalMoves


class LessonDocument(TypedDict):
    """A lesson as the list shows it; practice has no fixed number of steps."""

    key: str
    title: str
    summary: str
    players: int
    steps: int | None


class PositionDocument(TypedDict):
    """The state of a lesson: the table, and what to do next."""

    step: int
    done: bool
    task: str | None
    solution: ActionMembers | None
    match: TableDocument
    legal_moves: VersionedLegalMoves | None


class WholeLessonDocument(LessonDocument):
    """A lesson with its texts and its start."""

    introduction: str
    conclusion: str
    next: str | None
    log: list[LogEntry]
    position: PositionDocument


class LessonActionDocument(TypedDict):
    """The result of an action in a lesson."""

    accepted: bool
    comment: str | None
    moves: list[MoveResultDocument]
    position: PositionDocument
