#!/usr/bin/env python3
"""Check the deals of Haggis match records offline; this one file and the standard library are all it takes.

It proves, from the record and the anchor in it, that every round was dealt from the chain that the anchor
fixed and from the players' seeds, that the first dealer (deluxe: the first leader) was drawn so, and that
hands and haggis make the deck. It does not replay the play nor check scores: `python -m engine.replay` does.
Whether anchor and seed are those that you were shown and gave, only you can tell: compare them.
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
    """Something in the record that cannot be as it should be: where it stands, and what is wrong."""


class UnreadableError(Exception):
    """No record can be read at all."""


class Finding(NamedTuple):
    """One line of the answer: what it is about, whether it is proven, and how or why not."""

    about: str
    proven: bool
    why: str


class Match(NamedTuple):
    """What all rounds of a record have in common; None is what the record does not show."""

    deal_id: str | None
    players: int
    anchor: bytes | None
    seeds: list[str] | None
    rule_set: str | None
    rounds: list[dict[str, Any]]


class Round(NamedTuple):
    """What a record shows of one round's deal; None is what it does not show."""

    where: str
    number: int
    link: bytes | None
    hands: list[set[str]] | None
    haggis: set[str] | None
    dealer: object
    leader: object


# The method, byte by byte.


def framed(*parts: bytes) -> bytes:
    """Each part after its length in four bytes."""
    joined = bytearray()
    for part in parts:
        joined += len(part).to_bytes(4, "big")
        joined += part
    return bytes(joined)


def walked_back(deal_id: str, link: bytes, steps: int) -> bytes:
    """The link so many steps earlier in the chain: each is the hash of the next."""
    for _ in range(steps):
        link = hashlib.sha256(framed(METHOD, b"chain", deal_id.encode(), link)).digest()
    return link


def drawn_numbers(link: bytes, purpose: str, *inputs: str) -> Iterator[int]:
    """The 32-bit numbers of one draw, from the link and everything else that it depends on."""
    key = hmac.digest(link, framed(METHOD, purpose.encode(), *(text.encode() for text in inputs)), "sha256")
    block = 0
    while True:
        digest = hmac.digest(key, framed(METHOD, b"stream", block.to_bytes(8, "big")), "sha256")
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def choose(numbers: Iterator[int], ways: int) -> int:
    """An even choice: numbers beyond the last full multiple are passed over."""
    while True:
        number = next(numbers)
        if number < 2**32 // ways * ways:
            return number % ways


def fresh_deck(players: int) -> list[str]:
    """The deck before the shuffle."""
    return [rank + suit for suit in SUITS[players] for rank in "23456789T"]


def dealt_cards(deal_id: str, number: int, link: bytes, seeds: list[str]) -> list[set[str]]:
    """What each seat is dealt in this round, and last the haggis."""
    players = len(seeds)
    numbers = drawn_numbers(link, "deal", deal_id, str(number), str(players), *seeds)
    deck = fresh_deck(players)
    for last in range(len(deck) - 1, 0, -1):
        chosen = choose(numbers, last + 1)
        deck[last], deck[chosen] = deck[chosen], deck[last]
    cuts = [DEALT * seat for seat in range(players + 1)] + [len(deck)]
    return [set(deck[cuts[i] : cuts[i + 1]]) for i in range(players + 1)]


def drawn_seat(deal_id: str, link: bytes, seeds: list[str]) -> int:
    """The seat that the first round's link draws."""
    players = len(seeds)
    return choose(drawn_numbers(link, "first", deal_id, str(players), *seeds), players)


# Reading a record: nothing in it is trusted to be of the right shape.


def wrong(where: str, why: str) -> NoReturn:
    """Say what is wrong, and stop."""
    message = f"{where}: {why}"
    raise WrongError(message)


def read_text(value: object, where: str) -> str | None:
    """A text that has bytes, or None where there is none."""
    if value is None:
        return None
    if not isinstance(value, str):
        wrong(where, "this is not a text")
    if any("\ud800" <= character <= "\udfff" for character in value):
        wrong(where, "this holds half of a surrogate pair")
    return value


def read_hash(value: object, where: str) -> bytes | None:
    """32 bytes written as 64 hexadecimal digits, or None where there are none."""
    if value is None:
        return None
    if not isinstance(value, str) or not re.fullmatch("[0-9a-fA-F]{64}", value):
        wrong(where, "this is not 64 hexadecimal digits")
    return bytes.fromhex(value)


def read_seeds(value: object, players: int) -> list[str] | None:
    """One seed for each seat, or None where the record shows none."""
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != players:
        wrong("client_seeds", f"this is not a list of {players} seeds")
    return [read_seed(seed, f"client_seeds[{seat}]") for seat, seed in enumerate(value)]


def read_seed(value: object, where: str) -> str:
    """A client seed: short, and without what no client seed may hold."""
    seed = read_text(value, where)
    if seed is None:
        wrong(where, "this seat has no seed (where none was given it is the empty text)")
    if len(seed) > LONGEST_SEED or "\0" in seed:
        wrong(where, f"this is over {LONGEST_SEED} characters long or holds a NUL")
    return seed


def read_match(record: object) -> Match:
    """What the record says of the match."""
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
    """What the record says of one round; its cards make a deck, or something is wrong."""
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
    """The suit cards of each hand, or None where none are shown; the face cards are each player's own."""
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
    """So many different card codes, or None where none are shown."""
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
    """All piles together are the deck, each card once."""
    left = set(fresh_deck(players))
    for pile in piles:
        for card in sorted(pile):
            if card not in left:
                wrong(where, f"the card {card[:9]!a} is in two places, or is no card of this deck")
            left.remove(card)


# What follows from what.


def check_match(match: Match) -> Iterator[Finding]:
    """What is proven and what is not, round by round; `WrongError` at the first thing wrong."""
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
    """What the record does not show of the match, and without which no deal is proven."""
    needed = {"anchor": match.anchor, "deal id": match.deal_id, "client seeds": match.seeds}
    return [f"no {name}" for name, value in needed.items() if value is None]


def check_link(deal_id: str, this: Round, known: tuple[int, bytes | None]) -> None:
    """The link leads to the last one before it that is known, and by it to the anchor."""
    number, earlier = known
    if this.link is None or earlier is None:
        return
    if walked_back(deal_id, this.link, this.number - number) != earlier:
        target = f"the link of round {number}" if number else "the anchor"
        wrong(f"{this.where}.link", f"this does not lead to {target}")


def check_deal(match: Match, this: Round, missing: list[str]) -> Finding:
    """The round's cards are those that its link and the seeds make."""
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
    """The cards that the record shows are those that follow."""
    if claimed != follows:
        card = min(follows - claimed)
        wrong(where, f"link {number} and the seeds put {card} here, and the record does not")


def check_first_seat(match: Match, this: Round, missing: list[str]) -> Finding:
    """Who dealt first, or in a game without dealer who led first, is who was drawn."""
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
    """Why the seat drawn cannot be compared with anything, if it cannot."""
    names = expected_seats(match, 0)
    if not names:
        return ["a rule set that this script does not know"]
    return [f"no {name}" for name in names if getattr(this, name) is None]


def expected_seats(match: Match, seat: int) -> dict[str, int]:
    """Who must deal and lead the first round, where this seat was drawn."""
    if match.rule_set in RULE_SETS_WITHOUT_DEALER:
        return {"leader": seat}
    if match.rule_set in RULE_SETS_WITH_DEALER:
        return {"dealer": seat, "leader": (seat + 1) % match.players}
    return {}


# The command.


def parse(data: bytes) -> object:
    """Read one record; what is odd enough to be read in two ways is not read at all."""
    if len(data) > LARGEST_RECORD:
        message = f"this is larger than {LARGEST_RECORD} bytes"
        raise UnreadableError(message)
    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=unique_names)
    except (ValueError, RecursionError) as error:
        message = f"this is not JSON that can be read: {error}"
        raise UnreadableError(message) from error


def unique_names(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object in which no name stands twice: readers would differ on which one counts."""
    names = dict(pairs)
    if len(names) != len(pairs):
        message = "an object has one name twice"
        raise ValueError(message)
    return names


def verify(name: str, data: bytes) -> int:
    """Check one record, say what was found, and give its exit status."""
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
    """The records of standard input, one a line; after a line that is too large nothing more is read."""
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
    """Print one line, whatever the terminal can show."""
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
