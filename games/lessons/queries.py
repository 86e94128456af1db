"""Render lessons, and judge actions in them. Nothing is stored: clients send all their accepted actions."""

from collections.abc import Sequence
from typing import Final

from django.utils import timezone

from games.core.times import format_time
from games.gateway.documents import ActionMembers, EntryEvent, LogEntry, NamedCombination
from games.gateway.table import Table, deal_event
from games.gateway.views import check_cards, list_legal_moves, own_options, round_to_json
from games.lessons.course import LEARNER, LESSONS, Lesson, Step
from games.lessons.documents import (
    LessonActionDocument,
    LessonDocument,
    PositionDocument,
    WholeLessonDocument,
)
from games.lessons.progress import (
    OPPONENT_LEVEL,
    Progress,
    Turn,
    agreement_of,
    lesson_named,
    replay,
    start_of,
    take_turns,
)
from games.matches.documents import MoveResultDocument, RunningRoundDocument, SeatDocument, TableDocument
from games.matches.models.log import Actor, EventType
from games.matches.models.match import AfterTimeouts, MatchStatus, OnTimeout, SeatState, Visibility
from games.play.queries import CheckedCardsDocument, VersionedLegalMoves

# Usernames have at least one character.
_MAKER: Final = "lessons"
_DEAL_VERSION: Final = 1
LESSON_KEYS: Final = tuple(lesson.key for lesson in LESSONS)


def list_lessons() -> list[LessonDocument]:
    """Return the lessons in the order of the course."""
    return [_render_lesson(lesson) for lesson in LESSONS]


def read_lesson(key: str) -> WholeLessonDocument:
    """Return a lesson with its texts and its start; raise 404 if it does not exist."""
    lesson, start = lesson_named(key), start_of(key)
    following = LESSON_KEYS.index(key) + 1
    return {
        **_render_lesson(lesson),
        "introduction": str(lesson.introduction),
        "conclusion": str(lesson.conclusion),
        "next": LESSON_KEYS[following] if following < len(LESSON_KEYS) else None,
        "log": [_render_deal(start), *_render_opening(start)],
        "position": _render_position(start),
    }


def act_in_lesson(key: str, actions: Sequence[ActionMembers]) -> LessonActionDocument:
    """Replay all actions but the last, which were accepted before, and judge the last one.

    Raise `Problem` if the rules do not allow it. An action that is legal, but not what the step asks for, is
    not accepted: it gets a comment, and the position stays as it was.
    """
    lesson = lesson_named(key)
    progress = replay(lesson.key, actions[:-1])
    turns = take_turns(progress, actions[-1])
    if turns is None:
        comment = None if progress.step is None else _other_comment(progress.step, actions[-1])
        position = _render_position(progress)
        return {"accepted": False, "comment": comment, "moves": [], "position": position}
    return {
        "accepted": True,
        "comment": _comment(progress, progress.after(turns)),
        "moves": _render_moves(progress, turns),
        "position": _render_position(progress.after(turns)),
    }


def _other_comment(step: Step, action: ActionMembers) -> str:
    """Return what to say about a legal action that the step does not ask for."""
    return str(step.passed if action["type"] == "pass" else step.otherwise)


def _comment(before: Progress, after: Progress) -> str | None:
    """Return what to say about an accepted action; in practice only at the end of the round."""
    if before.step is not None:
        return str(before.step.right)
    if not after.is_done:
        return None
    first_out = round_to_json(after.table.view(LEARNER))["out"][0]
    return str(after.lesson.won if first_out == LEARNER else after.lesson.lost)


def check_cards_in_lesson(
    key: str, actions: Sequence[ActionMembers], *, cards: list[str], named: NamedCombination | None
) -> CheckedCardsDocument:
    """Return every reading of some of the learner's cards after these accepted actions."""
    progress = replay(lesson_named(key).key, actions)
    return {"version": progress.version, **check_cards(progress.table, LEARNER, cards, named)}


def _render_lesson(lesson: Lesson) -> LessonDocument:
    return {
        "key": lesson.key,
        "title": str(lesson.title),
        "summary": str(lesson.summary),
        "players": len(lesson.hands),
        "steps": len(lesson.steps) or None,
    }


def _render_position(progress: Progress) -> PositionDocument:
    task = progress.lesson.task if progress.step is None else progress.step.task
    return {
        "step": progress.accepted,
        "done": progress.is_done,
        "task": None if progress.is_done else str(task),
        "solution": progress.solution,
        "match": _render_table(progress.lesson, progress.table, progress.version),
        "legal_moves": _legal_moves(progress),
    }


def _legal_moves(progress: Progress) -> VersionedLegalMoves | None:
    """Return the legal moves of the learner; `None` if it is not their turn."""
    if progress.is_done or progress.table.to_act != LEARNER:
        return None
    moves = list_legal_moves(progress.table, LEARNER, named={}, expand=False)
    return {"version": progress.version, **moves}


def _render_moves(progress: Progress, turns: Sequence[Turn]) -> list[MoveResultDocument]:
    return [
        {
            "move": _render_entry(turn, version),
            "match": _render_table(progress.lesson, turn.result.table, version),
        }
        for version, turn in enumerate(turns, start=progress.version + 1)
    ]


def _render_opening(start: Progress) -> list[LogEntry]:
    return [
        _render_entry(turn, version) for version, turn in enumerate(start.opening, start=_DEAL_VERSION + 1)
    ]


def _render_deal(start: Progress) -> LogEntry:
    """Return the first entry of the log, in which the round is dealt."""
    table = start.table
    return {
        "version": _DEAL_VERSION,
        "round": table.round_number,
        "seat": None,
        "type": EventType.STARTED,
        "cards": None,
        "combination": None,
        "wilds": None,
        "amount": None,
        "to": None,
        "by": Actor.PLAYER,
        "at": format_time(timezone.now()),
        "then": [deal_event(table.round_number, table.dealer, table.leader)],
        "next": {"to_act": table.leader, "expects": "play", "deadline": None},
    }


def _render_entry(turn: Turn, version: int) -> LogEntry:
    table = turn.result.table
    return {
        "version": version,
        "round": table.round_number,
        "seat": turn.seat,
        "type": turn.action["type"],
        "cards": None,
        "combination": None,
        "wilds": None,
        "amount": None,
        "to": None,
        **turn.result.action_fields,
        "by": Actor.PLAYER if turn.seat == LEARNER else Actor.AI,
        "at": format_time(timezone.now()),
        "then": [_without_link(event) for event in turn.result.events],
        "next": {"to_act": table.to_act, "expects": table.expects or None, "deadline": None},
    }


def _without_link(event: EntryEvent) -> EntryEvent:
    """Return an event as clients receive it: a prepared deal has no link."""
    return {**event, "link": None} if event["type"] == "round_end" else event


def _render_table(lesson: Lesson, table: Table, version: int) -> TableDocument:
    """Render the table of a lesson like that of a match that the learner plays against an AI."""
    agreement = agreement_of(lesson)
    view = table.view(LEARNER)
    current: RunningRoundDocument = {**round_to_json(view), "deadline": None, "seconds_left": None}
    now = format_time(timezone.now())
    return {
        "id": lesson.key,
        "maker": _MAKER,
        "ruleset": agreement.ruleset,
        "ruleset_version": agreement.ruleset_version,
        "options": dict(agreement.options),
        "players": agreement.players,
        "target_score": agreement.target_score,
        "rounds": agreement.rounds_limit,
        "visibility": Visibility.PRIVATE,
        "rated": False,
        "hints": False,
        "hold": False,
        "clock": {
            "turn_seconds": None,
            "time_bank_seconds": 0,
            "on_timeout": OnTimeout.MOVE,
            "timeouts_allowed": 0,
            "after_timeouts": AfterTimeouts.CARETAKER,
            "vacations": False,
            "pauses": False,
        },
        "status": MatchStatus.ACTIVE,
        "version": version,
        "now": now,
        "created_at": now,
        "started_at": now,
        "finished_at": None,
        "imported_at": None,
        "anchor": None,
        "seats": [_render_seat(table, seat) for seat in range(agreement.players)],
        "pause": None,
        "round": current,
        "result": None,
        "next_match": None,
        "you": {"seat": LEARNER, **own_options(view), "standing_order": False},
    }


def _render_seat(table: Table, seat: int) -> SeatDocument:
    return {
        "seat": seat,
        "state": SeatState.PLAYING,
        "player": None,
        "level": None if seat == LEARNER else OPPONENT_LEVEL,
        "imported_name": None,
        "client_seed": "",
        "score": table.totals[seat],
        "time_bank_left": 0,
        "timeouts": 0,
        "vacation": None,
    }
