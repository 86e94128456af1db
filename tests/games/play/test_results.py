import pytest

from games.gateway.documents import EntryEvent, ResultDocument
from games.matches.entries import rank_resigned_last, rank_without_resigned
from games.matches.store import SeatRow

SEAT = SeatRow(
    number=0,
    state="playing",
    player_id=1,
    username="heather",
    kind="human",
    level="",
    client_seed="",
    time_bank_left=0,
    timeouts=0,
    standing_trick="",
    asks="",
    vacation_until=None,
)


def seats(*resigned: int) -> list[SeatRow]:
    return [
        SEAT._replace(number=number, state="resigned" if number in resigned else "playing")
        for number in range(3)
    ]


@pytest.mark.parametrize(
    ("scores", "winners", "resigned", "won", "reason"),
    (
        ([260, 120, 130], [0], (), [0], "target"),
        ([260, 120, 130], [0], (1,), [0], "target"),
        ([260, 120, 130], [0], (0,), [2], "resigned"),
        ([260, 130, 130], [0], (0,), [1, 2], "resigned"),
        ([260, 120, 130], [0], (0, 2), [1], "resigned"),
        ([-5, 270, -60], [1], (1, 0), [2], "resigned"),
    ),
)
def test_resigned_seats_are_ranked_last(
    scores: list[int], winners: list[int], resigned: tuple[int, ...], won: list[int], reason: str
) -> None:
    result: ResultDocument = {"winners": winners, "scores": scores, "reason": "target"}
    assert rank_without_resigned(result, seats(*resigned)) == {
        "winners": won,
        "scores": scores,
        "reason": reason,
    }


def test_other_consequences_of_an_action_do_not_change() -> None:
    result: ResultDocument = {"winners": [0], "scores": [9, 1, 2], "reason": "rounds"}
    then: list[EntryEvent] = [{"type": "out", "seat": 0}, {"type": "match_end", "result": result}]
    rank_resigned_last(then, seats(0))
    assert then == [
        {"type": "out", "seat": 0},
        {"type": "match_end", "result": {"winners": [2], "scores": [9, 1, 2], "reason": "resigned"}},
    ]
