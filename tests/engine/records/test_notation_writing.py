"""The notation as written: one header line per known value, one line per trick, short names."""

from dataclasses import replace

from engine.matches.ending import Length
from engine.records.notation_writing import to_text
from engine.rulesets.catalogue import rule_set
from tests.engine.records.recorded_matches import play_match

MATCH = play_match(rule_set("classic").at_table(players=3), Length(rounds=1))
ROUND = MATCH.rounds[0]


def lines_with(word: str, text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(word)]


def test_the_text_starts_with_the_format_and_the_agreement() -> None:
    assert to_text(MATCH).splitlines()[:14] == [
        "haggis-record/1",
        'match "m_example"',
        'deal_id "m_example"',
        'ruleset "classic"',
        'ruleset_version "2"',
        'option "bomb_capture" "winner_chooses"',
        "players 3",
        "rounds_limit 1",
        'seat A "heather"',
        'seat B "ai:hard"',
        'seat C "Mac \\"the\\" Duff\\n"',
        'seed A "salt"',
        'seed B ""',
        'seed C "é\\u2028\\n🐑"',
    ]


def test_unknown_values_have_no_line() -> None:
    unknown = replace(MATCH, match=None, deal_id=None, anchor=None, client_seeds=None, result=None, rounds=())
    text = to_text(unknown)
    for word in ("match", "deal_id", "anchor", "seed", "result", "round ", "target_score"):
        assert lines_with(word, text) == []


def test_a_round_has_dealer_leader_and_hands() -> None:
    lines = to_text(MATCH).splitlines()
    at = next(index for index, line in enumerate(lines) if line.startswith("round "))
    assert ROUND.dealer is not None
    assert lines[at] == f"round 1, {'ABC'[ROUND.dealer]} deals, {'ABC'[ROUND.leader]} leads"
    assert lines[at + 1] == f"link {ROUND.link}"
    assert lines[at + 2] == "hand A " + " ".join(map(str, ROUND.hands[0]))
    assert lines[at + 5] == "haggis " + " ".join(map(str, ROUND.haggis))


def test_a_round_without_dealer_or_link_omits_them() -> None:
    text = to_text(replace(MATCH, rounds=(replace(ROUND, dealer=None, link=None),)))
    assert lines_with("round ", text) == [f"round 1, {'ABC'[ROUND.leader]} leads"]
    assert "deals" not in text
    assert lines_with("link", text) == []


def test_notes_appear_below_a_line_only_if_recorded() -> None:
    bare = tuple(replace(each, by=None, at=None) for each in ROUND.actions)
    assert len(lines_with("   {", to_text(MATCH))) > 0
    assert lines_with("   {", to_text(replace(MATCH, rounds=(replace(ROUND, actions=bare),)))) == []


def test_a_round_cut_short_has_no_scores_and_maybe_nobody_out() -> None:
    text = to_text(replace(MATCH, rounds=(replace(ROUND, out=(), scores=None, totals=None),)))
    assert lines_with("out", text) + lines_with("score", text) + lines_with("totals", text) == []


def test_the_result_is_the_last_line() -> None:
    assert MATCH.result is not None
    last = to_text(MATCH).splitlines()[-1]
    scores = " ".join(map(str, MATCH.result.scores))
    assert last == f"result rounds, winners {'ABC'[MATCH.result.winners[0]]}, scores {scores}"
    nobody = to_text(replace(MATCH, result=replace(MATCH.result, winners=())))
    assert "winners nobody," in nobody
