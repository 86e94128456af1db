"""The lines that begin with a word, and what each one contains."""

from collections.abc import Callable

import pytest

from engine.records.notation_lines import (
    MATCH_LINES,
    ROUND_LINES,
    read_hand,
    read_numbers,
    read_option,
    read_result,
    read_round,
    read_score,
    read_seat_text,
    read_seats,
)
from tests.engine.records.test_notation_words import code_of


def test_every_field_of_a_record_has_a_line() -> None:
    assert " ".join(line.field for line in MATCH_LINES.values()) == (
        "match deal_id ruleset ruleset_version options players target_score rounds_limit seats client_seeds "
        "anchor"
    )
    assert " ".join(line.field for line in ROUND_LINES.values()) == "link hands haggis out scores totals"


@pytest.mark.parametrize(
    ("read", "text", "value"),
    (
        (read_option, '"bet split" "a\\"b"', ("bet split", 'a"b')),
        (read_seat_text, 'B "heather of the hill"', (1, "heather of the hill")),
        (read_hand, "C 2r J", (2, ["2r", "J"])),
        (read_seats, "B A", [1, 0]),
        (read_seats, "", []),
        (read_numbers, "54 -3", [54, -3]),
        (read_round, "1, A deals, B leads", {"number": 1, "dealer": 0, "leader": 1}),
        (read_round, "12, C leads", {"number": 12, "dealer": None, "leader": 2}),
        (
            read_score,
            "A going_out 25, first_out_bonus 5, captured 14, bets -15, total 29",
            {"seat": 0, "going_out": 25, "first_out_bonus": 5, "captured": 14, "bets": -15, "total": 29},
        ),
        (
            read_result,
            "target, winners A, scores 254 180",
            {"winners": [0], "scores": [254, 180], "reason": "target"},
        ),
        (
            read_result,
            "annulled, winners nobody, scores 0 0 0",
            {"winners": [], "scores": [0, 0, 0], "reason": "annulled"},
        ),
    ),
)
def test_each_kind_of_line_is_read(read: Callable[[str], object], text: str, value: object) -> None:
    assert read(text) == value


@pytest.mark.parametrize(
    ("read", "text"),
    (
        (read_option, '"bet_split"'),
        (read_option, "bet_split full"),
        (read_seat_text, '"heather"'),
        (read_seat_text, "A heather"),
        (read_seats, "A D"),
        (read_numbers, "54 many"),
        (read_round, "1, A deals"),
        (read_round, "1, D leads"),
        (read_round, "one, A leads"),
        (read_score, "A going_out 25"),
        (read_score, "A going_out 2-5, first_out_bonus 0, captured 0, bets 0, total 0"),
        (read_result, "target"),
        (read_result, "target, winners D, scores 1 2"),
    ),
)
def test_an_invalid_line_is_malformed(read: Callable[[str], object], text: str) -> None:
    assert code_of(text, read) == "unreadable_line"
