"""Replay a lesson: its deal, the actions of the learner, and the replies of the opponents."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, NamedTuple

from games.core.errors import Problem, invalid_field, require_found
from games.gateway.agreement import Agreement, make_agreement
from games.gateway.ai import choose_action
from games.gateway.documents import ActionMembers
from games.gateway.positions import SeatAction, act_in_position, replay_position
from games.gateway.table import ActionResult, Table, parse_action
from games.gateway.views import action_members
from games.lessons.course import LEARNER, LESSONS, Lesson, Step
from games.lessons.dealing import deal_around

RULESET: Final = "classic"
TARGET_SCORE: Final = 250
# Deterministic: a replay of the same actions gets the same replies.
OPPONENT_LEVEL: Final = "easy"


class Turn(NamedTuple):
    """An action of the learner or of an opponent, with its result."""

    seat: int
    action: ActionMembers
    result: ActionResult


@dataclass(frozen=True, slots=True)
class Progress:
    """A lesson after some accepted actions: the table and its version, and the turns before the lesson."""

    lesson: Lesson
    table: Table
    version: int
    accepted: int = 0
    opening: tuple[Turn, ...] = ()

    @property
    def step(self) -> Step | None:
        """The step to take next; `None` in practice, and after the last step."""
        steps = self.lesson.steps
        return steps[self.accepted] if self.accepted < len(steps) else None

    @property
    def is_done(self) -> bool:
        """Whether the lesson is complete."""
        return self.step is None if self.lesson.steps else self.table.to_act is None

    @property
    def solution(self) -> ActionMembers | None:
        """The action that the step asks for; in practice, the one that an AI would take."""
        if self.is_done:
            return None
        return _ai_action(self.table, LEARNER) if self.step is None else self.step.solution

    def after(self, turns: Sequence[Turn]) -> "Progress":
        """Return the progress after an accepted action and the replies to it."""
        return replace(
            self,
            table=turns[-1].result.table,
            version=self.version + len(turns),
            accepted=self.accepted + 1,
        )


def lesson_named(key: str) -> Lesson:
    """Return a lesson; raise 404 if it does not exist."""
    return require_found(next((lesson for lesson in LESSONS if lesson.key == key), None))


@cache
def start_of(key: str) -> Progress:
    """Return the start of a lesson, before its first step."""
    lesson = lesson_named(key)
    dealt, actions = deal_around(lesson.hands, lesson.leader)
    table = replay_position(agreement_of(lesson), dealt, totals=lesson.totals)
    opening = tuple(_replies([*actions, *lesson.lead], table))
    if opening:
        table = opening[-1].result.table
    return Progress(lesson, table, version=1 + len(opening), opening=opening)


def agreement_of(lesson: Lesson) -> Agreement:
    """Return the settings of the match that a lesson is a part of."""
    return make_agreement(
        ruleset=RULESET, players=len(lesson.hands), options={}, target_score=TARGET_SCORE, rounds=None
    )


def replay(key: str, actions: Sequence[ActionMembers]) -> Progress:
    """Return the progress after these actions; raise `Problem` if one of them is not accepted."""
    progress = start_of(key)
    for number, action in enumerate(actions):
        try:
            turns = take_turns(progress, action)
        except Problem as error:
            raise _invalid_action(number, error.detail) from error
        if turns is None:
            raise _invalid_action(number, "This is not what the step asks for.")
        progress = progress.after(turns)
    return progress


def _invalid_action(number: int, detail: str) -> Problem:
    return invalid_field(f"/actions/{number}", "unknown_value", detail)


def take_turns(progress: Progress, action: ActionMembers) -> list[Turn] | None:
    """Take the next step: return the learner's turn and the replies to it.

    Return `None` if the action is legal, but is not the one that the step asks for. Raise `Problem` if it is
    not legal, as at the table of a match.
    """
    if progress.is_done:
        raise Problem("match_not_active", "This lesson is complete.")
    result = act_in_position(progress.table, LEARNER, parse_action(action))
    own = Turn(LEARNER, action, result)
    if progress.step is None:
        return [own, *_ai_replies(result.table)]
    if not _is_solution(progress, progress.step, own):
        return None
    return [own, *_replies(progress.step.replies, result.table)]


def _is_solution(progress: Progress, step: Step, turn: Turn) -> bool:
    """Return whether the turn is of the same type, cards and combination as the solution of the step."""
    if turn.action["type"] != step.solution["type"]:
        return False
    expected = act_in_position(progress.table, LEARNER, parse_action(step.solution))
    return turn.result.action_fields == expected.action_fields


def _replies(actions: Iterable[SeatAction], table: Table) -> Iterator[Turn]:
    """Take prepared actions one after the other."""
    for seat, action in actions:
        result = act_in_position(table, seat, parse_action(action))
        table = result.table
        yield Turn(seat, action, result)


def _ai_replies(table: Table) -> Iterator[Turn]:
    """Let an AI act for the opponents until it is the learner's turn or the round is over."""
    while table.to_act not in {None, LEARNER}:
        seat = table.to_act or 0
        action = _ai_action(table, seat)
        result = act_in_position(table, seat, parse_action(action))
        table = result.table
        yield Turn(seat, action, result)


def _ai_action(table: Table, seat: int) -> ActionMembers:
    return action_members(choose_action(table.view(seat), OPPONENT_LEVEL).action)
