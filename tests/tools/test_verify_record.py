"""The standalone verifier: what it proves, what it leaves unproven, and the errors that it finds."""

import ast
import copy
import io
import json
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards.card import FACE_CARDS
from engine.deals.chain import make_chain
from engine.deals.deal import deal
from engine.deals.first_seat import first_seat
from tools import verify_record

PROVEN, WRONG, UNPROVEN = 0, 1, 2
SCRIPT = Path(verify_record.__file__)

Record = dict[str, Any]
Change = Callable[[Record], object]


def make_record(
    *, players: int = 2, rounds: int = 3, ruleset: str = "classic", seeds: tuple[str, ...] = ("salt", "é")
) -> Record:
    """Return a record as the engine deals it, with shuffled cards and without plays."""
    seeds = (*seeds, "x")[:players]
    chain = make_chain("m_example", bytes(range(32)))
    first = first_seat(deal_id="m_example", link=chain.link(1), players=players, seeds=seeds)
    seats: Record = {"dealer": first, "leader": (first + 1) % players}
    if ruleset == "deluxe":
        seats = {"dealer": None, "leader": first}
    return {
        "format": "haggis-record/1",
        "match": "m_other",
        "deal_id": "m_example",
        "ruleset": ruleset,
        "players": players,
        "anchor": chain.anchor.hex(),
        "client_seeds": list(seeds),
        "rounds": [{"number": n, **seats, **make_round(n, players, seeds)} for n in range(1, rounds + 1)],
        "result": None,
    }


def make_round(number: int, players: int, seeds: tuple[str, ...]) -> Record:
    """Return the link and the cards of one round without scores."""
    link = make_chain("m_example", bytes(range(32))).link(number)
    dealt = deal(deal_id="m_example", number=number, link=link, players=players, seeds=seeds)
    hands = [[str(card) for card in sorted((*hand, *FACE_CARDS))] for hand in dealt.hands]
    haggis = [str(card) for card in dealt.haggis]
    return {"link": link.hex(), "hands": hands, "haggis": haggis, "actions": [], "scores": None}


RECORD = make_record()


class Run:
    """Runs the command on records and captures its output."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        """Write records to a folder and capture the output."""
        self.path = folder / "record.json"
        self.capsys = capsys

    def __call__(self, record: object) -> tuple[int, str]:
        """Verify one record from a file."""
        return self.bytes(json.dumps(record).encode())

    def bytes(self, data: bytes) -> tuple[int, str]:
        """Verify a file with these bytes."""
        self.path.write_bytes(data)
        status = verify_record.main([str(self.path)])
        return status, self.capsys.readouterr().out.replace(str(self.path), "FILE")

    def changed(self, change: Change, record: Record = RECORD) -> tuple[int, str]:
        """Verify a record after one change; return the last line."""
        record = copy.deepcopy(record)
        change(record)
        status, said = self(record)
        return status, said.splitlines()[-1]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    return Run(tmp_path, capsys)


def put(*path: str | int, value: object) -> Change:
    """Return a change that sets the value at a path of a record."""

    def change(record: Record) -> None:
        part: Any = record
        for step in path[:-1]:
            part = part[step]
        part[path[-1]] = value

    return change


def test_record_is_proven_line_by_line(run: Run) -> None:
    status, said = run(make_record(rounds=2, seeds=("salté", "")))
    assert status == PROVEN
    assert said.splitlines() == [
        "FILE: anchor fa6ac788c393ec9434e42e5a0bdd96f39c02bca193d46b7718f6286f0955598e",
        "  seed of seat 0: 'salt\\xe9'",
        "  seed of seat 1: ''",
        "  round 1: proven: its link leads to the anchor, and with the seeds to these cards",
        "  first dealer: proven: link 1 and the seeds draw seat 1",
        "  round 2: proven: its link leads to the anchor, and with the seeds to these cards",
        "FILE: every deal is proven",
    ]


@pytest.mark.parametrize("ruleset", ("classic", "revised", "booklet", "haggish", "deluxe"))
@pytest.mark.parametrize("players", (2, 3))
def test_records_of_every_rule_set_and_number_of_players_are_proven(
    run: Run, ruleset: str, players: int
) -> None:
    status, said = run(make_record(players=players, ruleset=ruleset))
    assert status == PROVEN
    assert ("first leader: proven" in said) == (ruleset == "deluxe")


def test_deals_match_the_engine_for_many_links_and_seeds(run: Run) -> None:
    for number, seeds in enumerate([("", ""), ("é", "e\u0301"), ("🂡" * 64, " "), ("\t", "\ufeff")]):
        status, _ = run(make_record(players=2 + number % 2, rounds=8, seeds=seeds))
        assert status == PROVEN


@pytest.mark.parametrize("ways", (2, 3, 5, 36, 45))
def test_numbers_beyond_the_last_full_multiple_are_skipped(ways: int) -> None:
    full = 2**32 // ways * ways
    assert verify_record.choose(iter([2**32 - 1, 5]), 3) == 2
    assert verify_record.choose(iter([full - 1, 0]), ways) == ways - 1
    if full < 2**32:
        assert verify_record.choose(iter([full, 2**32 - 1, 1]), ways) == 1


def codes(text: str) -> set[str]:
    """Return the card codes of a line."""
    return set(text.split())


def test_draws_have_known_results() -> None:
    link_1 = bytes.fromhex("a2daf0915bb3ab4067ac6df7a03eb17b8bc84c75772c38c29a41a6c09444828f")
    link_2 = bytes.fromhex("7612e0a9335673664659975e97be2ad13267a9ac3745a3c13e1ba2cb8eb98c30")
    assert verify_record.walked_back("m_example", link_2, 1) == link_1
    assert verify_record.walked_back("m_example", bytes(range(32)), 511) == link_1
    assert verify_record.drawn_seat("m_example", link_1, ["salt", ""]) == 0
    assert verify_record.drawn_seat("m_example", link_1, ["", "é", "x"]) == 2
    two = verify_record.dealt_cards("m_example", 1, link_1, ["salt", ""])
    assert two[0] == codes("6r 5y 2g 3r 8r 7y 7g 6o 4g Tg 4o 5o 3g 6y")
    assert two[-1] == codes("8o 2r Ty To 4r 8g 4y 2y")
    three = verify_record.dealt_cards("m_example", 2, link_2, ["", "é", "x"])
    assert three[2] == codes("9b 6b 4b 8o 2b 9g 8y 7y 4g 3g 2r 7r 5y 3b")
    assert three[-1] == {"Tr", "5o", "8g"}


def test_at_most_512_rounds_are_accepted(run: Run) -> None:
    record = make_record(rounds=512)
    assert run(record)[0] == PROVEN
    record["rounds"].append(record["rounds"][0])
    assert run(record) == (WRONG, run(record)[1])
    assert run(record)[1].endswith("FILE: WRONG at rounds: a match has at most 512 rounds\n")


@pytest.mark.parametrize(
    "path", (("anchor",), ("rounds", 0, "link"), ("rounds", 1, "link"), ("rounds", 2, "link"))
)
def test_changed_byte_of_anchor_or_link_is_wrong(run: Run, path: tuple[str | int, ...]) -> None:
    value: Any = RECORD
    for step in path:
        value = value[step]
    for at in range(0, 64, 2):
        other = value[:at] + f"{int(value[at : at + 2], 16) ^ 1:02x}" + value[at + 2 :]
        status, said = run.changed(put(*path, value=other))
        assert status == WRONG
        assert ".link: this does not lead to" in said


@pytest.mark.parametrize("at", range(len("m_example")))
def test_changed_character_of_the_deal_id_is_wrong(run: Run, at: int) -> None:
    other = "m_example"[:at] + "~" + "m_example"[at + 1 :]
    status, said = run.changed(put("deal_id", value=other))
    assert (status, said) == (WRONG, "FILE: WRONG at rounds[0].link: this does not lead to the anchor")


@pytest.mark.parametrize(
    "seeds", (["Salt", "é"], ["sal", "té"], ["salt", "e\u0301"], ["é", "salt"], ["salt ", "é"])
)
def test_changed_seeds_are_wrong(run: Run, seeds: list[str]) -> None:
    status, said = run.changed(put("client_seeds", value=seeds))
    assert status == WRONG
    assert said.startswith("FILE: WRONG at rounds[0].hands[0]: link 1 and the seeds put ")


def test_first_wrong_card_is_reported_with_its_place(run: Run) -> None:
    hand, haggis = RECORD["rounds"][1]["hands"][1], RECORD["rounds"][1]["haggis"]

    def exchange(record: Record) -> None:
        record["rounds"][1]["hands"][1][0], record["rounds"][1]["haggis"][0] = haggis[0], hand[0]

    status, said = run.changed(exchange)
    assert status == WRONG
    card = hand[0]
    expected = (
        f"FILE: WRONG at rounds[1].hands[1]: link 2 and the seeds put {card} here, and the record does not"
    )
    assert said == expected


def test_haggis_without_hands_is_compared(run: Run) -> None:
    def exchange(record: Record) -> None:
        record["rounds"][0]["haggis"][0] = record["rounds"][0]["hands"][0][0]
        record["rounds"][0]["hands"] = None

    status, said = run.changed(exchange)
    assert status == WRONG
    assert said.startswith("FILE: WRONG at rounds[0].haggis: link 1 and the seeds put ")


def test_exchanged_rounds_are_wrong(run: Run) -> None:
    def exchange(record: Record) -> None:
        record["rounds"].reverse()

    assert run.changed(exchange) == (
        WRONG,
        "FILE: WRONG at rounds[0].number: this is not 1, as the rounds before it make it",
    )


def test_deal_of_another_round_is_wrong(run: Run) -> None:
    def move(record: Record) -> None:
        record["rounds"][1] = {**record["rounds"][2], "number": 2}

    status, said = run.changed(move)
    assert (status, said) == (
        WRONG,
        "FILE: WRONG at rounds[1].link: this does not lead to the link of round 1",
    )


@pytest.mark.parametrize("ruleset", ("classic", "deluxe"))
@pytest.mark.parametrize("players", (2, 3))
def test_changed_first_dealer_or_leader_is_wrong(run: Run, ruleset: str, players: int) -> None:
    record = make_record(players=players, ruleset=ruleset)
    right = record["rounds"][0]
    for name in ["leader"] if ruleset == "deluxe" else ["dealer", "leader"]:
        for claimed in [*range(players), -1, players, True, 0.0, "0", [], {}]:
            if claimed is not right[name] and (claimed != right[name] or type(claimed) is not int):
                status, said = run.changed(put("rounds", 0, name, value=claimed), record)
                expected = (
                    f"FILE: WRONG at rounds[0].{name}: link 1 and the seeds make this seat {right[name]}"
                )
                assert (status, said) == (WRONG, expected)


def test_dealer_and_leader_of_later_rounds_are_not_checked(run: Run) -> None:
    assert run.changed(put("rounds", 1, "dealer", value=17))[0] == PROVEN


@pytest.mark.parametrize(
    ("path", "reason"),
    (
        (("anchor",), "no anchor"),
        (("deal_id",), "no deal id"),
        (("client_seeds",), "no client seeds"),
        (("rounds", 1, "link"), "no link"),
        (("rounds", 1, "hands"), "no hands"),
        (("rounds", 1, "haggis"), "no haggis"),
    ),
)
@pytest.mark.parametrize("missing", (True, False))
def test_missing_parts_are_unproven_and_not_wrong(
    run: Run, path: tuple[str | int, ...], reason: str, *, missing: bool
) -> None:
    record = copy.deepcopy(RECORD)
    put(*path, value=None)(record)
    if missing:
        part: Any = record if len(path) == 1 else record["rounds"][1]
        del part[path[-1]]
    status, said = run(record)
    assert status == UNPROVEN
    assert f"  round 2: unproven: {reason}\n" in said
    assert said.endswith("FILE: unproven, though nothing is wrong\n")
    whole_match = len(path) == 1
    assert ("round 1: proven" in said) != whole_match
    assert (f"first dealer: unproven: {reason}" in said) == whole_match


def test_all_missing_parts_are_listed(run: Run) -> None:
    def strip(record: Record) -> None:
        del record["anchor"], record["deal_id"], record["client_seeds"], record["rounds"][1:]
        record["rounds"][0] = {"number": 1}

    record = copy.deepcopy(RECORD)
    strip(record)
    status, said = run(record)
    assert status == UNPROVEN
    assert said.splitlines() == [
        "FILE: anchor not shown",
        "  round 1: unproven: no anchor, no deal id, no client seeds, no link, no hands, no haggis",
        "  first dealer: unproven: no anchor, no deal id, no client seeds, no link, no dealer, no leader",
        "FILE: unproven, though nothing is wrong",
    ]


def test_missing_link_leaves_other_rounds_proven(run: Run) -> None:
    record = copy.deepcopy(RECORD)
    record["rounds"][1]["link"] = None
    _, said = run(record)
    assert "round 3: proven" in said


def test_inconsistent_links_are_wrong_without_an_anchor(run: Run) -> None:
    def change(record: Record) -> None:
        record["anchor"] = None
        record["rounds"][2]["link"] = "00" * 32

    status, said = run.changed(change)
    assert (status, said) == (
        WRONG,
        "FILE: WRONG at rounds[2].link: this does not lead to the link of round 2",
    )


def test_wrong_deal_is_wrong_without_an_anchor(run: Run) -> None:
    def change(record: Record) -> None:
        record["anchor"] = None
        record["rounds"][0]["hands"].reverse()

    assert run.changed(change)[0] == WRONG


def test_missing_dealer_is_unproven_and_wrong_leader_is_wrong(run: Run) -> None:
    status, said = run.changed(put("rounds", 0, "dealer", value=None))
    assert (status, said) == (UNPROVEN, "FILE: unproven, though nothing is wrong")

    def change(record: Record) -> None:
        record["rounds"][0]["dealer"] = None
        record["rounds"][0]["leader"] = 1 - record["rounds"][0]["leader"]

    assert run.changed(change)[0] == WRONG


@pytest.mark.parametrize("ruleset", (None, "haggis-2040"))
def test_first_seat_of_an_unknown_rule_set_is_unproven(run: Run, ruleset: str | None) -> None:
    record = {**RECORD, "ruleset": ruleset}
    status, said = run(record)
    assert status == UNPROVEN
    assert "first dealer: unproven: a rule set that this script does not know\n" in said
    assert "round 1: proven" in said


def test_match_without_rounds_is_unproven(run: Run) -> None:
    status, said = run({**RECORD, "rounds": []})
    assert status == UNPROVEN
    assert "  rounds: unproven: the record shows none\n" in said


HASH_EXPECTED = "this is not 64 hexadecimal digits"
HANDS = RECORD["rounds"][0]["hands"]
HAGGIS = RECORD["rounds"][0]["haggis"]
SUIT_CARDS_AND_FACES = [*HANDS[0][:14], "J", "Q"]


@pytest.mark.parametrize(
    ("path", "value", "why"),
    (
        (("players",), 4, "players: this is neither 2 nor 3"),
        (("players",), "2", "players: this is neither 2 nor 3"),
        (("players",), 2.0, "players: this is neither 2 nor 3"),
        (("players",), None, "players: this is neither 2 nor 3"),
        (("rounds",), None, "rounds: this is not a list of rounds"),
        (("rounds",), {}, "rounds: this is not a list of rounds"),
        (("rounds",), [[]], "rounds: this is not a list of rounds"),
        (("deal_id",), 7, "deal_id: this is not a text"),
        (("deal_id",), "\ud800", "deal_id: this holds half of a surrogate pair"),
        (("ruleset",), ["classic"], "ruleset: this is not a text"),
        (("anchor",), 7, f"anchor: {HASH_EXPECTED}"),
        (("anchor",), "00" * 31, f"anchor: {HASH_EXPECTED}"),
        (("anchor",), "00" * 33, f"anchor: {HASH_EXPECTED}"),
        (("anchor",), "0" * 63 + "g", f"anchor: {HASH_EXPECTED}"),
        (("anchor",), "0" * 64 + "\n", f"anchor: {HASH_EXPECTED}"),
        (("anchor",), "٣" * 64, f"anchor: {HASH_EXPECTED}"),
        (("rounds", 0, "link"), "", f"rounds[0].link: {HASH_EXPECTED}"),
        (("client_seeds",), "ab", "client_seeds: this is not a list of 2 seeds"),
        (("client_seeds",), ["a"], "client_seeds: this is not a list of 2 seeds"),
        (("client_seeds",), ["a", "b", "c"], "client_seeds: this is not a list of 2 seeds"),
        (("client_seeds", 1), 7, "client_seeds[1]: this is not a text"),
        (("client_seeds", 1), "\udfff", "client_seeds[1]: this holds half of a surrogate pair"),
        (("client_seeds", 1), "a" * 65, "client_seeds[1]: this is over 64 characters long or holds a NUL"),
        (("client_seeds", 1), "a\0", "client_seeds[1]: this is over 64 characters long or holds a NUL"),
        (
            ("client_seeds", 1),
            None,
            "client_seeds[1]: this seat has no seed (where none was given it is the empty text)",
        ),
        (("rounds", 0, "number"), 2, "rounds[0].number: this is not 1, as the rounds before it make it"),
        (("rounds", 0, "number"), True, "rounds[0].number: this is not 1, as the rounds before it make it"),
        (("rounds", 0, "number"), None, "rounds[0].number: this is not 1, as the rounds before it make it"),
        (("rounds", 0, "hands"), {}, "rounds[0].hands: this is not a list of 2 hands"),
        (("rounds", 0, "hands"), HANDS[:1], "rounds[0].hands: this is not a list of 2 hands"),
        (("rounds", 0, "hands", 1), None, "rounds[0].hands[1]: this hand lacks a J, Q or K"),
        (("rounds", 0, "hands", 1), "2r", "rounds[0].hands[1]: this is not a list of cards"),
        (("rounds", 0, "hands", 1), [[]] * 17, "rounds[0].hands[1]: this is not a list of cards"),
        (("rounds", 0, "hands", 0), HANDS[0][:-1], "rounds[0].hands[0]: there are 16 cards, not 17"),
        (("rounds", 0, "hands", 0), [*SUIT_CARDS_AND_FACES, "J"], "rounds[0].hands[0]: a card is here twice"),
        (
            ("rounds", 0, "hands", 0),
            [*SUIT_CARDS_AND_FACES, HAGGIS[0]],
            "rounds[0].hands[0]: this hand lacks a J, Q or K",
        ),
        (("rounds", 0, "haggis"), 8, "rounds[0].haggis: this is not a list of cards"),
        (("rounds", 0, "haggis"), HAGGIS[1:], "rounds[0].haggis: there are 7 cards, not 8"),
        (("rounds", 0, "haggis"), [*HAGGIS, "J"], "rounds[0].haggis: there are 9 cards, not 8"),
        (("rounds", 0, "haggis"), [HAGGIS[1], *HAGGIS[1:]], "rounds[0].haggis: a card is here twice"),
        (
            ("rounds", 0, "haggis"),
            ["\x1b[31m\x1b[31m" + "x" * 999, *HAGGIS[1:]],
            r"rounds[0]: the card '\x1b[31m\x1b[31' is in two places, or is no card of this deck",
        ),
        (
            ("rounds", 0, "haggis"),
            [*HAGGIS[1:], "5b"],
            "rounds[0]: the card '5b' is in two places, or is no card of this deck",
        ),
        (
            ("rounds", 0, "haggis"),
            [*HAGGIS[1:], HANDS[1][0]],
            f"rounds[0]: the card '{HANDS[1][0]}' is in two places, or is no card of this deck",
        ),
    ),
)
def test_invalid_value_is_wrong_and_reported_with_its_place(
    run: Run, path: tuple[str | int, ...], value: object, why: str
) -> None:
    assert run.changed(put(*path, value=value)) == (WRONG, f"FILE: WRONG at {why}")


def test_uppercase_hexadecimal_digits_are_accepted(run: Run) -> None:
    assert run.changed(put("anchor", value=RECORD["anchor"].upper()))[0] == PROVEN


def test_duplicate_cards_are_wrong_in_an_unproven_record(run: Run) -> None:
    def change(record: Record) -> None:
        record["anchor"] = record["deal_id"] = record["rounds"][0]["link"] = None
        record["rounds"][0]["haggis"][0] = record["rounds"][0]["hands"][0][0]

    status, said = run.changed(change)
    assert status == WRONG
    assert "is in two places" in said


@pytest.mark.parametrize(
    ("data", "why"),
    (
        (b"", "this is not JSON that can be read: Expecting value"),
        (b"not json", "this is not JSON that can be read: Expecting value"),
        (b"\xff\xfe", "this is not JSON that can be read: 'utf-8' codec can't decode byte 0xff"),
        (b"[" * 200_000, "this is not JSON that can be read: maximum recursion depth exceeded"),
        (b'{"players": ' + b"9" * 5000 + b"}", "this is not JSON that can be read: Exceeds the limit"),
        (b'{"a": 1, "a": 2}', "this is not JSON that can be read: an object has one name twice"),
        (b"7", "this is not a haggis-record/1"),
        (b"[]", "this is not a haggis-record/1"),
        (b"{}", "this is not a haggis-record/1"),
        (b'{"format": ["haggis-record/1"]}', "this is not a haggis-record/1"),
        (b'{"format": "haggis-record/2"}', "this is not a haggis-record/1"),
    ),
)
def test_invalid_record_is_unreadable(run: Run, data: bytes, why: str) -> None:
    status, said = run.bytes(data)
    assert status == UNPROVEN
    assert said.startswith(f"FILE: unreadable: {why}")
    assert said.count("\n") == 1


def test_record_of_the_largest_size_is_read_and_a_larger_one_is_not(run: Run) -> None:
    data = json.dumps(RECORD).encode()
    limit = 4 * 1024 * 1024
    assert run.bytes(data.ljust(limit))[0] == PROVEN
    status, said = run.bytes(data.ljust(limit + 1))
    assert (status, said) == (UNPROVEN, "FILE: unreadable: this is larger than 4194304 bytes\n")


def test_byte_order_mark_is_accepted(run: Run) -> None:
    assert run.bytes(b"\xef\xbb\xbf" + json.dumps(RECORD).encode())[0] == PROVEN


def test_file_that_cannot_be_opened_is_unreadable(run: Run, tmp_path: Path) -> None:
    assert verify_record.main([str(tmp_path / "none.json")]) == UNPROVEN
    assert "none.json: unreadable: No such file or directory" in run.capsys.readouterr().out
    assert verify_record.main([str(tmp_path)]) == UNPROVEN
    assert "unreadable: Is a directory" in run.capsys.readouterr().out


def test_control_characters_of_a_file_name_are_escaped(run: Run) -> None:
    verify_record.main(["\x1b[2Jé"])
    assert run.capsys.readouterr().out == "'\\x1b[2J\\xe9': unreadable: No such file or directory\n"
    verify_record.main(["é"])
    assert run.capsys.readouterr().out == "\\xe9: unreadable: No such file or directory\n"


def test_exit_status_of_several_files_is_the_worst(run: Run, tmp_path: Path) -> None:
    files = {"proven": RECORD, "wrong": {**RECORD, "players": 4}, "unproven": {**RECORD, "anchor": None}}
    for name, record in files.items():
        (tmp_path / name).write_text(json.dumps(record))

    def status_of(*names: str) -> int:
        return verify_record.main([str(tmp_path / name) for name in names])

    assert status_of("proven", "proven") == PROVEN
    assert status_of("proven", "unproven", "proven") == UNPROVEN
    assert status_of("wrong", "unproven", "proven") == status_of("unproven", "wrong") == WRONG
    assert run.capsys.readouterr().out.count("WRONG") == 2


def from_standard_input(data: bytes, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return the output of the command for this standard input."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    return verify_record.main(["-"])


def test_standard_input_has_one_record_per_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    line = json.dumps(RECORD).encode()
    assert from_standard_input(line + b"\n\n  \r\n" + line, monkeypatch) == PROVEN
    said = run.capsys.readouterr().out
    assert "line 1: every deal is proven\n" in said
    assert said.endswith("line 4: every deal is proven\n")
    assert from_standard_input(b"{\n" + line, monkeypatch) == UNPROVEN
    assert "line 1: unreadable" in run.capsys.readouterr().out


def test_empty_standard_input_is_unproven(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert from_standard_input(b" \n", monkeypatch) == UNPROVEN
    assert run.capsys.readouterr().out.startswith("-: unreadable")


def test_reading_stops_after_a_line_that_is_too_large(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    line = json.dumps(RECORD).encode()
    data = line + b"\n" + b" " * (4 * 1024 * 1024) + b"x" + b"\n" + line
    assert from_standard_input(data, monkeypatch) == UNPROVEN
    said = run.capsys.readouterr().out.splitlines()
    assert said[-1] == "line 2: unreadable: this is larger than 4194304 bytes"


def places(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Yield every path of a record that can be changed."""
    inner: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [found for step, part in inner for found in [(*path, step), *places(part, (*path, step))]]


SMALL = make_record(rounds=1)
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=70),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(changes=st.lists(st.tuples(st.sampled_from(places(SMALL)), JUNK), min_size=1, max_size=3))
def test_arbitrary_changes_never_crash_the_script(
    changes: list[tuple[tuple[str | int, ...], object]],
) -> None:
    record = copy.deepcopy(SMALL)
    for path, value in changes:
        try:
            put(*path, value=value)(record)
        except (TypeError, IndexError, KeyError):
            continue  # an earlier change took the place away
    assert verify_record.verify("x", json.dumps(record).encode()) in {PROVEN, WRONG, UNPROVEN}


def test_script_runs_without_the_project(tmp_path: Path) -> None:
    script = shutil.copy(SCRIPT, tmp_path / "script.py")
    (tmp_path / "record.json").write_text(json.dumps(RECORD))
    command = [sys.executable, "-S", "-I", "-W", "error", str(script), "record.json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)  # our own
    assert (done.returncode, done.stderr) == (PROVEN, "")
    assert done.stdout.endswith("record.json: every deal is proven\n")


def test_exit_status_of_the_script(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "wrong.json").write_text(json.dumps({**RECORD, "players": 4}))
    monkeypatch.setattr("sys.argv", [str(SCRIPT), str(tmp_path / "wrong.json")])
    with pytest.raises(SystemExit) as exit_status:
        runpy.run_path(str(SCRIPT), run_name="__main__")
    assert exit_status.value.code == WRONG
    assert "WRONG at players" in run.capsys.readouterr().out


def test_script_imports_only_the_standard_library() -> None:
    tree = ast.parse(SCRIPT.read_text())
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names


def test_guide_shows_the_output_of_the_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("record.json").write_text(json.dumps(make_record(rounds=1, seeds=("salt", ""))))
    verify_record.main(["record.json"])
    guide = (SCRIPT.parents[1] / "docs" / "fairness.md").read_text(encoding="utf-8")
    assert f"verify_record.py record.json\n{capsys.readouterr().out}```" in guide


def test_help_says_what_is_not_checked(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_status:
        verify_record.main(["--help"])
    assert exit_status.value.code == 0
    said = capsys.readouterr().out
    assert "does not replay the play" in said
    assert "python -m engine.replay" in said


def test_missing_file_argument_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_status:
        verify_record.main([])
    assert exit_status.value.code == UNPROVEN
    assert "FILE" in capsys.readouterr().err
