"""Record the matches that are missing in this folder."""

import json
from dataclasses import replace
from pathlib import Path

from engine.matches.ending import Length
from engine.records.notation import to_text
from engine.records.record import Ending, Record, RecordedAction
from engine.records.writing import JsonObject, write_record
from engine.rulesets.catalogue import rule_set
from tests.engine.records.recorded_matches import begin_match, play_match

FOLDER = Path(__file__).parent


def matches() -> dict[str, Record]:
    """Return a match of each rule set and number of players, and some special ones."""
    played = {
        "classic-2": play_match(rule_set("classic").at_table(players=2), Length.agreed(), seed=11),
        "classic-3": play_match(rule_set("classic").at_table(players=3), Length(target=150), seed=12),
        "revised-2": play_match(rule_set("revised").at_table(players=2), Length(rounds=3), seed=13),
        "booklet-2": play_match(rule_set("booklet").at_table(players=2), Length(rounds=3), seed=14),
        "booklet-3": play_match(rule_set("booklet").at_table(players=3), Length(rounds=3), seed=15),
        "haggish-2": play_match(rule_set("haggish").at_table(players=2), Length(target=100), seed=16),
        "deluxe-2": play_match(rule_set("deluxe").at_table(players=2), Length(target=120), seed=17),
        "deluxe-3": play_match(rule_set("deluxe").at_table(players=3), Length(rounds=2), seed=18),
    }
    thirds = {"bet_split": "thirds", "bomb_capture": "tournament"}
    revised = rule_set("revised").at_table(players=3, options=thirds)
    return played | {
        "revised-3-thirds": play_match(revised, Length(rounds=3), seed=19),
        "classic-2-resigned": resigned(),
        "classic-2-elsewhere": recorded_by_hand(),
    }


def resigned() -> Record:
    """Return a match for two in which one resigned in the second round."""
    played = begin_match(rule_set("classic").at_table(players=2), Length.agreed(), seed=20)
    while not (played.state.round.number == 2 and len(played.state.round.tricks) == 3):
        played.act()
    played.recorder.abort(winners=(1,), totals=played.state.totals, reason=Ending.RESIGNED)
    return played.recorder.record()


def recorded_by_hand() -> Record:
    """Return a match noted down at a table: cards and scores, without proofs of the deals."""
    match = play_match(rule_set("classic").at_table(players=2), Length(rounds=2), seed=21)
    rounds = tuple(
        replace(
            each,
            link=None,
            actions=tuple(RecordedAction(action.seat, action.action) for action in each.actions),
        )
        for each in match.rounds
    )
    return replace(
        match,
        match=None,
        deal_id=None,
        ruleset_version=None,
        options=(),
        anchor=None,
        client_seeds=None,
        rounds=rounds,
        result=None,
    )


def format_record(record: JsonObject) -> str:
    """Format a record as JSON with a line per round, for readable diffs."""
    rounds = ",\n".join(json.dumps(each, ensure_ascii=False) for each in record["rounds"])
    head, tail = json.dumps(record | {"rounds": "@"}, ensure_ascii=False).split('"@"')
    return f"{head}[\n{rounds}\n]{tail}\n"


if __name__ == "__main__":
    for name, match in matches().items():
        if not (FOLDER / f"{name}.json").exists():
            (FOLDER / f"{name}.json").write_text(format_record(write_record(match)), encoding="utf-8")
            (FOLDER / f"{name}.txt").write_text(to_text(match), encoding="utf-8")
