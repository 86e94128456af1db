"""The notation is read strictly, and errors report their line."""

import pytest

from engine.errors import Malformed
from engine.matches.ending import Length
from engine.records.notation_reading import from_text
from engine.records.notation_writing import to_text
from engine.rulesets.catalogue import rule_set
from tests.engine.records.recorded_matches import play_match

MATCH = play_match(rule_set("revised").at_table(players=2), Length(rounds=2))
LINES = to_text(MATCH).split("\n")


def error_in(lines: list[str]) -> tuple[str, str]:
    """Return the code and the line of the error."""
    with pytest.raises(Malformed) as refusal:
        from_text("\n".join(lines))
    return refusal.value.code, refusal.value.where


def at(beginning: str) -> int:
    """Return the index of the first line with this beginning."""
    return next(index for index, line in enumerate(LINES) if line.startswith(beginning))


def with_line(beginning: str, *lines: str) -> list[str]:
    """Return the text with one line replaced by others."""
    index = at(beginning)
    return [*LINES[:index], *lines, *LINES[index + 1 :]]


def test_blank_lines_comments_and_surrounding_spaces_are_ignored() -> None:
    spread = [part for line in LINES for part in ("", "# a comment", f"  {line}\t\r")]
    assert from_text("\n".join(spread)) == MATCH


def test_the_split_of_play_into_lines_is_ignored() -> None:
    first, notes, second, more_notes = LINES[at("1. ") : at("1. ") + 4]
    joined = "; ".join([first, second.partition(". ")[2]])
    both = "; ".join([notes.strip(" {}"), more_notes.strip(" {}")])
    number = at("1. ")
    rest = [
        line.replace(f"{index}. ", f"{index - 1}. ", 1) if line.startswith(f"{index}. ") else line
        for line in LINES[number + 4 : at("out")]
        for index in [int(line.partition(".")[0]) if line[0].isdigit() else 0]
    ]
    assert from_text("\n".join([*LINES[:number], joined, f"{{{both}}}", *rest, *LINES[at("out") :]])) == MATCH


@pytest.mark.parametrize("text", ("", "\n\n", "{}", "haggis-record/2", "# haggis-record/1"))
def test_the_first_line_must_be_the_format(text: str) -> None:
    code, where = error_in(text.split("\n"))
    assert code == "unknown_format"
    assert where.startswith("line ")


@pytest.mark.parametrize(
    ("beginning", "lines", "code", "offset"),
    (
        ("match", ("match m_1",), "unreadable_line", 0),
        ("match", ("march",), "unknown_line", 0),
        ("match", ('match "a"', 'match "a"'), "repeated_line", 1),
        ("match", ("1. A passes",), "misplaced_line", 0),
        ("match", ("{- -}",), "misplaced_line", 0),
        ("match", (f"link {'0' * 64}",), "misplaced_line", 0),
        ("players", ("players two",), "unreadable_line", 0),
        ("anchor", ("anchor 00",), "invalid_hash", 0),
        ("seat B", ('seat C "c"',), "unreadable_line", 0),
        ("seat B", ('seat B "\\ud800"',), "invalid_text", 0),
        ("round 1", ("round 1",), "unreadable_line", 0),
        ("round 1", ("round 1, A deals, C leads",), "out_of_range", 0),
        ("hand B", (), "wrong_length", -1),
        ("hand B", ("hand B 2r",), "wrong_length", 0),
        ("haggis ", ("haggis 2r 3r 4r 5r 6r 7r 8r Xx",), "unknown_card", 0),
        ("1. ", ("2. A passes",), "unreadable_line", 0),
        ("1. ", ("1. A passes; B",), "unreadable_line", 0),
        ("out", ("out A C",), "out_of_range", 0),
        ("   {", ("{- -}", "{- -}"), "unreadable_line", 0),
        ("   {", (LINES[at("   {")], "{- -}"), "misplaced_line", 1),
        ("score A", ("score A none",), "unreadable_line", 0),
        ("totals", ("totals 1",), "wrong_length", 0),
        ("totals", ("totals 1 2", 'match "m"'), "misplaced_line", 1),
        ("result", ("result boredom, winners A, scores 1 2",), "invalid_value", 0),
        ("result", (LINES[at("result")], "players 2"), "misplaced_line", 1),
    ),
)
def test_an_error_reports_its_line(beginning: str, lines: tuple[str, ...], code: str, offset: int) -> None:
    assert error_in(with_line(beginning, *lines)) == (code, f"line {at(beginning) + 1 + offset}")


def test_a_missing_part_of_a_round_reports_the_line_of_the_round() -> None:
    assert error_in(with_line("haggis ")) == ("missing_field", f"line {at('round 1') + 1}")


def test_a_missing_part_of_the_match_reports_the_first_line() -> None:
    assert error_in(with_line("ruleset ")) == ("missing_field", "line 1")


def test_the_number_of_players_must_precede_any_play() -> None:
    line = f"line {at('1. ')}"
    assert error_in(with_line("players")) == ("missing_line", line)
    assert error_in([*with_line("players"), "players 2"]) == ("missing_line", line)
