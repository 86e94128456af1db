#!/usr/bin/env python3
"""Verify the deals of Haggis match records offline, with nothing but this file and the standard library.

It proves from the record and its anchor that every round was dealt from the chain that the anchor fixed and
from the players' seeds, that the first dealer (deluxe: the first leader) was drawn in the same way, and that
hands and haggis form the deck. It does not replay the play nor check scores: `python -m engine.replay` does.
Only you can tell whether the anchor and the seed are those that you were shown and chose: compare them.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PROVEN, WRONG, UNPROVEN = 0, 1, 2
EPILOG = """\
FILE holds one record (haggis-record/1); '-' reads standard input, one record a line. Of each record it says
what is proven, what cannot be proven because the record does not show it, or the first thing wrong and where.

exit status: 0  every deal of every record is proven
             1  something is wrong
             2  nothing is wrong, but something is unproven or could not be read
"""

METHOD = b"haggis-shuffle-v1"
LAST_ROUND = 512
LARGEST_RECORD = 4 * 1024 * 1024
LONGEST_SEED = 64
DEALT, HELD = 14, 17
SUITS = {2: "royg", 3: "roygb"}
FACES = {"J", "Q", "K"}
RULE_SETS_WITH_DEALER = {"classic", "revised", "booklet", "haggish"}
RULE_SETS_WITHOUT_DEALER = {"deluxe"}


class WrongError(Exception):
    """Raised if the record contradicts itself or the rules of the deal; says where and why."""


class UnreadableError(Exception):
    """Raised if the input is not a record."""


class Finding(NamedTuple):
    """One line of the result: its subject, whether it is proven, and why."""

    about: str
    proven: bool
    why: str


class Match(NamedTuple):
    """What all rounds of a record share; `None` means not shown."""

    deal_id: str | None
    players: int
    anchor: bytes | None
    seeds: list[str] | None
    rule_set: str | None
    rounds: list[dict[str, Any]]


class Round(NamedTuple):
    """One round of a record; `None` means not shown."""

    where: str
    number: int
    link: bytes | None
    hands: list[set[str]] | None
    haggis: set[str] | None
    dealer: object
    leader: object


# The method, byte by byte.


def framed(*parts: bytes) -> bytes:
    """Return the parts, each prefixed with its length in four bytes."""
    joined = bytearray()
    for part in parts:
        joined += len(part).to_bytes(4, "big")
        joined += part
    return bytes(joined)


def walked_back(deal_id: str, link: bytes, steps: int) -> bytes:
    """Return the link this many steps earlier in the chain: each link is the hash of the next."""
    for _ in range(steps):
        link = hashlib.sha256(framed(METHOD, b"chain", deal_id.encode(), link)).digest()
    return link


def drawn_numbers(link: bytes, purpose: str, *inputs: str) -> Iterator[int]:
    """Yield the 32-bit numbers of one draw, derived from the link and all other inputs."""
    key = hmac.digest(link, framed(METHOD, purpose.encode(), *(text.encode() for text in inputs)), "sha256")
    block = 0
    while True:
        digest = hmac.digest(key, framed(METHOD, b"stream", block.to_bytes(8, "big")), "sha256")
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def choose(numbers: Iterator[int], ways: int) -> int:
    """Choose evenly: skip numbers beyond the last full multiple."""
    while True:
        number = next(numbers)
        if number < 2**32 // ways * ways:
            return number % ways


def fresh_deck(players: int) -> list[str]:
    """Return the deck before the shuffle."""
    return [rank + suit for suit in SUITS[players] for rank in "23456789T"]


def dealt_cards(deal_id: str, number: int, link: bytes, seeds: list[str]) -> list[set[str]]:
    """Return what each seat is dealt in this round, and the haggis last."""
    players = len(seeds)
    numbers = drawn_numbers(link, "deal", deal_id, str(number), str(players), *seeds)
    deck = fresh_deck(players)
    for last in range(len(deck) - 1, 0, -1):
        chosen = choose(numbers, last + 1)
        deck[last], deck[chosen] = deck[chosen], deck[last]
    cuts = [DEALT * seat for seat in range(players + 1)] + [len(deck)]
    return [set(deck[cuts[i] : cuts[i + 1]]) for i in range(players + 1)]


def drawn_seat(deal_id: str, link: bytes, seeds: list[str]) -> int:
    """Return the seat that the first round's link draws."""
    players = len(seeds)
    return choose(drawn_numbers(link, "first", deal_id, str(players), *seeds), players)


# Reading a record. Its content is untrusted.


def wrong(where: str, why: str) -> NoReturn:
    """Raise an error about this place of the record."""
    message = f"{where}: {why}"
    raise WrongError(message)


def read_text(value: object, where: str) -> str | None:
    """Read a text that can be encoded, or `None` if it is absent."""
    if value is None:
        return None
    if not isinstance(value, str):
        wrong(where, "this is not a text")
    if any("\ud800" <= character <= "\udfff" for character in value):
        wrong(where, "this holds half of a surrogate pair")
    return value


def read_hash(value: object, where: str) -> bytes | None:
    """Read 32 bytes as 64 hexadecimal digits, or `None` if absent."""
    if value is None:
        return None
    if not isinstance(value, str) or not re.fullmatch("[0-9a-fA-F]{64}", value):
        wrong(where, "this is not 64 hexadecimal digits")
    return bytes.fromhex(value)


def read_seeds(value: object, players: int) -> list[str] | None:
    """Read one seed per seat, or `None` if absent."""
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != players:
        wrong("client_seeds", f"this is not a list of {players} seeds")
    return [read_seed(seed, f"client_seeds[{seat}]") for seat, seed in enumerate(value)]


def read_seed(value: object, where: str) -> str:
    """Read a client seed; reject what the service would not accept."""
    seed = read_text(value, where)
    if seed is None:
        wrong(where, "this seat has no seed (where none was given it is the empty text)")
    if len(seed) > LONGEST_SEED or "\0" in seed:
        wrong(where, f"this is over {LONGEST_SEED} characters long or holds a NUL")
    return seed


def read_match(record: object) -> Match:
    """Read the parts that all rounds share."""
    if not isinstance(record, dict) or record.get("format") != "haggis-record/1":
        message = "this is not a haggis-record/1"
        raise UnreadableError(message)
    players = record.get("players")
    if type(players) is not int or players not in SUITS:
        wrong("players", "this is neither 2 nor 3")
    rounds = record.get("rounds")
    if not isinstance(rounds, list) or not all(isinstance(entry, dict) for entry in rounds):
        wrong("rounds", "this is not a list of rounds")
    if len(rounds) > LAST_ROUND:
        wrong("rounds", f"a match has at most {LAST_ROUND} rounds")
    return Match(
        deal_id=read_text(record.get("deal_id"), "deal_id"),
        players=players,
        anchor=read_hash(record.get("anchor"), "anchor"),
        seeds=read_seeds(record.get("client_seeds"), players),
        rule_set=read_text(record.get("ruleset"), "ruleset"),
        rounds=rounds,
    )


def read_round(entry: dict[str, Any], number: int, players: int) -> Round:
    """Read one round and check that its cards form a deck."""
    where = f"rounds[{number - 1}]"
    if type(entry.get("number")) is not int or entry["number"] != number:
        wrong(f"{where}.number", f"this is not {number}, as the rounds before it make it")
    hands = read_hands(entry.get("hands"), f"{where}.hands", players)
    haggis = read_cards(entry.get("haggis"), f"{where}.haggis", len(fresh_deck(players)) - DEALT * players)
    if hands is not None and haggis is not None:
        check_deck(where, [*hands, haggis], players)
    return Round(
        where=where,
        number=number,
        link=read_hash(entry.get("link"), f"{where}.link"),
        hands=hands,
        haggis=haggis,
        dealer=entry.get("dealer"),
        leader=entry.get("leader"),
    )


def read_hands(value: object, where: str, players: int) -> list[set[str]] | None:
    """Read the suit cards of each hand, or `None` if absent; every hand has its own face cards."""
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != players:
        wrong(where, f"this is not a list of {players} hands")
    hands = []
    for seat, cards in enumerate(value):
        hand = read_cards(cards, f"{where}[{seat}]", HELD)
        if hand is None or not hand >= FACES:
            wrong(f"{where}[{seat}]", "this hand lacks a J, Q or K")
        hands.append(hand - FACES)
    return hands


def read_cards(value: object, where: str, count: int) -> set[str] | None:
    """Read this many different card codes, or `None` if absent."""
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(card, str) for card in value):
        wrong(where, "this is not a list of cards")
    if len(value) != count:
        wrong(where, f"there are {len(value)} cards, not {count}")
    if len(set(value)) != count:
        wrong(where, "a card is here twice")
    return set(value)


def check_deck(where: str, piles: Sequence[set[str]], players: int) -> None:
    """Check that all piles together are the deck, each card once."""
    left = set(fresh_deck(players))
    for pile in piles:
        for card in sorted(pile):
            if card not in left:
                wrong(where, f"the card {card[:9]!a} is in two places, or is no card of this deck")
            left.remove(card)


# Checking a record.


def check_match(match: Match) -> Iterator[Finding]:
    """Yield the findings round by round; raise `WrongError` for the first contradiction."""
    missing = missing_from_match(match)
    known = (0, match.anchor)
    for index, entry in enumerate(match.rounds):
        this = read_round(entry, index + 1, match.players)
        if match.deal_id is not None and this.link is not None:
            check_link(match.deal_id, this, known)
            known = (this.number, this.link)
        yield check_deal(match, this, missing)
        if this.number == 1:
            yield check_first_seat(match, this, missing)
    if not match.rounds:
        yield Finding("rounds", proven=False, why="the record shows none")


def missing_from_match(match: Match) -> list[str]:
    """Return what no deal can be proven without and the record does not show."""
    needed = {"anchor": match.anchor, "deal id": match.deal_id, "client seeds": match.seeds}
    return [f"no {name}" for name, value in needed.items() if value is None]


def check_link(deal_id: str, this: Round, known: tuple[int, bytes | None]) -> None:
    """Check that the link leads to the last known link before it, and so to the anchor."""
    number, earlier = known
    if this.link is None or earlier is None:
        return
    if walked_back(deal_id, this.link, this.number - number) != earlier:
        target = f"the link of round {number}" if number else "the anchor"
        wrong(f"{this.where}.link", f"this does not lead to {target}")


def check_deal(match: Match, this: Round, missing: list[str]) -> Finding:
    """Check that the cards of the round follow from its link and the seeds."""
    about = f"round {this.number}"
    needed = {"link": this.link, "hands": this.hands, "haggis": this.haggis}
    missing = missing + [f"no {name}" for name, value in needed.items() if value is None]
    if match.deal_id is not None and match.seeds is not None and this.link is not None:
        follows = dealt_cards(match.deal_id, this.number, this.link, match.seeds)
        for seat, hand in enumerate(this.hands or []):
            compare(hand, follows[seat], f"{this.where}.hands[{seat}]", this.number)
        if this.haggis is not None:
            compare(this.haggis, follows[-1], f"{this.where}.haggis", this.number)
    if missing:
        return Finding(about, proven=False, why=", ".join(missing))
    return Finding(about, proven=True, why="its link leads to the anchor, and with the seeds to these cards")


def compare(claimed: set[str], follows: set[str], where: str, number: int) -> None:
    """Check that the record shows the cards that follow."""
    if claimed != follows:
        card = min(follows - claimed)
        wrong(where, f"link {number} and the seeds put {card} here, and the record does not")


def check_first_seat(match: Match, this: Round, missing: list[str]) -> Finding:
    """Check the first dealer, or the first leader in a game without a dealer, against the draw."""
    role = "first leader" if match.rule_set in RULE_SETS_WITHOUT_DEALER else "first dealer"
    missing = missing + (["no link"] if this.link is None else []) + missing_seat(match, this)
    if match.deal_id is not None and match.seeds is not None and this.link is not None:
        seat = drawn_seat(match.deal_id, this.link, match.seeds)
        for name, expected in expected_seats(match, seat).items():
            claimed = getattr(this, name)
            if claimed is not None and (type(claimed) is not int or claimed != expected):
                wrong(f"{this.where}.{name}", f"link 1 and the seeds make this seat {expected}")
        if not missing:
            return Finding(role, proven=True, why=f"link 1 and the seeds draw seat {seat}")
    return Finding(role, proven=False, why=", ".join(missing))


def missing_seat(match: Match, this: Round) -> list[str]:
    """Return why the drawn seat cannot be compared, if it cannot."""
    names = expected_seats(match, 0)
    if not names:
        return ["a rule set that this script does not know"]
    return [f"no {name}" for name in names if getattr(this, name) is None]


def expected_seats(match: Match, seat: int) -> dict[str, int]:
    """Return who must deal and lead the first round if this seat was drawn."""
    if match.rule_set in RULE_SETS_WITHOUT_DEALER:
        return {"leader": seat}
    if match.rule_set in RULE_SETS_WITH_DEALER:
        return {"dealer": seat, "leader": (seat + 1) % match.players}
    return {}


# The command.


def parse(data: bytes) -> object:
    """Parse one record; reject input that parsers could read in different ways."""
    if len(data) > LARGEST_RECORD:
        message = f"this is larger than {LARGEST_RECORD} bytes"
        raise UnreadableError(message)
    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=unique_names)
    except (ValueError, RecursionError) as error:
        message = f"this is not JSON that can be read: {error}"
        raise UnreadableError(message) from error


def unique_names(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Build an object; reject duplicate names, which parsers resolve differently."""
    names = dict(pairs)
    if len(names) != len(pairs):
        message = "an object has one name twice"
        raise ValueError(message)
    return names


def verify(name: str, data: bytes) -> int:
    """Check one record, print the findings and return the exit status."""
    status = PROVEN
    try:
        match = read_match(parse(data))
        say(f"{name}: anchor {match.anchor.hex() if match.anchor else 'not shown'}")
        for seat, seed in enumerate(match.seeds or []):
            say(f"  seed of seat {seat}: {seed!a}")
        for finding in check_match(match):
            say(f"  {finding.about}: {'proven' if finding.proven else 'unproven'}: {finding.why}")
            status = max(status, PROVEN if finding.proven else UNPROVEN)
    except WrongError as error:
        say(f"{name}: WRONG at {error}")
        return WRONG
    except UnreadableError as error:
        say(f"{name}: unreadable: {error}")
        return UNPROVEN
    say(f"{name}: every deal is proven" if status == PROVEN else f"{name}: unproven, though nothing is wrong")
    return status


def records_in(stream: BinaryIO) -> Iterator[tuple[str, bytes]]:
    """Yield the records of standard input, one per line; stop after a line that is too large."""
    number, size = 0, 0
    while size <= LARGEST_RECORD and (line := stream.readline(LARGEST_RECORD + 1)):
        number, size = number + 1, len(line)
        if line.strip():
            yield f"line {number}", line


def verify_path(path: str) -> list[int]:
    """Check the record of a file, or those of standard input."""
    if path == "-":
        return [verify(name, data) for name, data in records_in(sys.stdin.buffer)] or [verify("-", b"")]
    name = path if path.isprintable() else ascii(path)
    try:
        with Path(path).open("rb") as file:
            data = file.read(LARGEST_RECORD + 1)
    except OSError as error:
        say(f"{name}: unreadable: {error.strerror}")
        return [UNPROVEN]
    return [verify(name, data)]


def say(line: str) -> None:
    """Print one line with everything but ASCII escaped."""
    sys.stdout.write(line.encode("ascii", "backslashreplace").decode() + "\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Check every record named on the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help="a file with one record, or '-'")
    statuses = [status for path in parser.parse_args(arguments).files for status in verify_path(path)]
    return WRONG if WRONG in statuses else max(statuses)


if __name__ == "__main__":
    sys.exit(main())
