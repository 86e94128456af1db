"""Write a record as text that people can read and that reads back to the same record."""

from collections.abc import Iterator
from typing import assert_never

from engine.cards.card import Card
from engine.records.notation_layout import split_into_tricks
from engine.records.notation_names import name_text
from engine.records.notation_words import quoted, seat_letter
from engine.records.record import FORMAT, Record, RecordedAction, RecordedResult, RecordedRound
from engine.rounds.actions import Award, Bet, Pass, Play
from engine.scoring.sheet import SeatScore


def to_text(record: Record) -> str:
    """Return the record in text notation, one line per trick."""
    lines = [FORMAT, *_header(record)]
    for played in record.rounds:
        lines += ["", *_round(played, record.players)]
    if record.result is not None:
        lines += ["", _result(record.result)]
    return "\n".join(lines) + "\n"


def _header(record: Record) -> Iterator[str]:
    """Yield what was agreed; unknown values have no line."""
    yield from _text("match", record.match)
    yield from _text("deal_id", record.deal_id)
    yield from _text("ruleset", record.ruleset)
    yield from _text("ruleset_version", record.ruleset_version)
    yield from (f"option {quoted(name)} {quoted(value)}" for name, value in record.options)
    yield from _number("players", record.players)
    yield from _number("target_score", record.target_score)
    yield from _number("rounds_limit", record.rounds_limit)
    yield from _each_seat("seat", record.seats)
    yield from _each_seat("seed", record.client_seeds or ())
    if record.anchor is not None:
        yield f"anchor {record.anchor}"


def _text(name: str, value: str | None) -> Iterator[str]:
    if value is not None:
        yield f"{name} {quoted(value)}"


def _number(name: str, value: int | None) -> Iterator[str]:
    if value is not None:
        yield f"{name} {value}"


def _each_seat(name: str, texts: tuple[str, ...]) -> Iterator[str]:
    for seat, text in enumerate(texts):
        yield f"{name} {seat_letter(seat)} {quoted(text)}"


def _round(played: RecordedRound, players: int) -> Iterator[str]:
    deals = "" if played.dealer is None else f", {seat_letter(played.dealer)} deals"
    yield f"round {played.number}{deals}, {seat_letter(played.leader)} leads"
    if played.link is not None:
        yield f"link {played.link}"
    for seat, hand in enumerate(played.hands):
        yield f"hand {seat_letter(seat)} {_cards(hand)}"
    yield f"haggis {_cards(played.haggis)}"
    for number, trick in enumerate(split_into_tricks(played.actions, players), start=1):
        yield from _trick(number, trick, players)
    yield from _end(played)


def _end(played: RecordedRound) -> Iterator[str]:
    """Yield who went out and, unless the round was cut short, the scores and totals."""
    if played.out:
        yield f"out {_seats(played.out)}"
    for line in played.scores or ():
        yield _score(line)
    if played.totals is not None:
        yield f"totals {_numbers(played.totals)}"


def _trick(number: int, trick: list[RecordedAction], players: int) -> Iterator[str]:
    """Yield the actions and, below them, who acted for the seats and when, if that is recorded."""
    yield f"{number}. {'; '.join(_action(each, players) for each in trick)}"
    if any(each.by is not None or each.at is not None for each in trick):
        notes = (f"{'-' if each.by is None else each.by} {each.at or '-'}" for each in trick)
        yield f"   {{{'; '.join(notes)}}}"


def _action(recorded: RecordedAction, players: int) -> str:
    seat = seat_letter(recorded.seat)
    match recorded.action:
        case Play(cards=cards, named=named):
            name = name_text(cards, named, players)
            return f"{seat} {_cards(cards)}" + (f" ={name}" if name else "")
        case Pass():
            return f"{seat} passes"
        case Bet(amount=amount):
            return f"{seat} bets {amount}"
        case Award(to=captor):
            return f"{seat} awards {seat_letter(captor)}"
        case _:
            assert_never(recorded.action)


def _score(line: SeatScore) -> str:
    return (
        f"score {seat_letter(line.seat)} going_out {line.going_out}, first_out_bonus {line.first_out_bonus}, "
        f"captured {line.captured}, bets {line.bets}, total {line.total}"
    )


def _result(result: RecordedResult) -> str:
    winners = _seats(result.winners) or "nobody"
    return f"result {result.reason}, winners {winners}, scores {_numbers(result.scores)}"


def _cards(cards: tuple[Card, ...]) -> str:
    return " ".join(str(card) for card in cards)


def _seats(seats: tuple[int, ...]) -> str:
    return " ".join(seat_letter(seat) for seat in seats)


def _numbers(numbers: tuple[int, ...]) -> str:
    return " ".join(str(number) for number in numbers)
