"""Serialize a running match to JSON and back, so that a service need not replay the log for every move.

The rules and the length do not change and are stored elsewhere. The value includes every hand, so it is as
secret as the deal.
"""

from typing import Any

from engine.matches.ending import Length
from engine.matches.state import MatchState, Reason, Result
from engine.rounds.position import NOBODY, Position
from engine.rounds.state import Entry, RoundState, Trick, table_of
from engine.rulesets.model import TableRules

FORMAT_VERSION = 1


def dump(state: MatchState) -> dict[str, Any]:
    """Return the match as a value of lists, numbers and strings."""
    return {
        "form": FORMAT_VERSION,
        "totals": state.totals,
        "result": _dump_result(state),
        "round": _dump_round(state.round),
    }


def load(rules: TableRules, length: Length, stored: dict[str, Any]) -> MatchState:
    """Return the match from a dumped value, under the agreed rules and length."""
    if stored["form"] != FORMAT_VERSION:
        detail = (
            f"The stored match has format {stored['form']}, but this engine only reads format "
            f"{FORMAT_VERSION}. Rebuild the match from its log."
        )
        raise ValueError(detail)
    return MatchState(
        rules=rules,
        length=length,
        totals=tuple(stored["totals"]),
        round=_load_round(rules, stored["round"]),
        result=_load_result(stored["result"]),
    )


def _dump_result(state: MatchState) -> list[Any] | None:
    result = state.result
    return None if result is None else [result.winners, result.scores, result.reason.value]


def _load_result(stored: list[Any] | None) -> Result | None:
    if stored is None:
        return None
    winners, scores, reason = stored
    return Result(winners=tuple(winners), scores=tuple(scores), reason=Reason(reason))


def _dump_round(state: RoundState) -> list[Any]:
    return [
        state.number,
        state.dealer,
        state.leader,
        state.dealt,
        state.haggis,
        _dump_position(state.position),
        state.bets,
        _dump_entries(state.trick),
        [(trick.winner, trick.captured_by, _dump_entries(trick.entries)) for trick in state.tricks],
    ]


def _dump_position(position: Position) -> tuple[object, ...]:
    """Return the parts of a position, with `ordinary` only at tables that track it.

    So matches at all other tables stay readable for releases that do not know that part.
    """
    parts = position.parts()
    return parts if position.table.captured_by_ordinary else parts[:-1]


def _dump_entries(entries: tuple[Entry, ...]) -> list[tuple[int, ...]]:
    """Return turns as plain tuples, which JSON encoders write faster than named tuples."""
    return [tuple(entry) for entry in entries]


def _load_round(rules: TableRules, stored: list[Any]) -> RoundState:
    number, dealer, leader, dealt, haggis, position, bets, trick, tricks = stored
    return RoundState(
        rules=rules,
        number=number,
        dealer=dealer,
        leader=leader,
        dealt=tuple(dealt),
        haggis=haggis,
        position=_load_position(rules, position),
        bets=tuple(bets),
        trick=_load_entries(trick),
        tricks=tuple([Trick(winner, captor, _load_entries(entries)) for winner, captor, entries in tricks]),
    )


def _load_entries(stored: list[list[int]]) -> tuple[Entry, ...]:
    return tuple([Entry(seat, play) for seat, play in stored])


def _load_position(rules: TableRules, stored: list[Any]) -> Position:
    hands, captured, pile, current, winner, below, passes, to_act, award_due, out, opposing, captor = stored[
        :12
    ]
    return Position(
        table=table_of(rules),
        hands=tuple(hands),
        captured=tuple(captured),
        pile=pile,
        current=current,
        winner=winner,
        below=below,
        passes=passes,
        to_act=to_act,
        award_due=award_due,
        out=tuple(out),
        opposing=tuple(opposing),
        captor=captor,
        ordinary=stored[12] if len(stored) > 12 else NOBODY,
    )
