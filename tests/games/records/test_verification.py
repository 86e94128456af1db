from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from games.ai.services import take_turn
from games.core.secrets import Secret
from games.gateway.agreement import allowed_players
from games.gateway.fold import MatchReplay, ReplayedSeats
from games.matches.models.log import Bet, Move, Round, Snapshot
from games.matches.models.match import Match, MatchStatus
from games.play.resignation import resign
from games.play.services import act
from games.records import verification
from games.records.verification import Difference, verify_matches
from tests.support.factories import make_match, make_player, read_row, start_match

Form = dict[str, Any]


def play(match: Match, turns: int = 10_000) -> Match:
    match = Match.objects.get(pk=match.pk)
    for _ in range(turns):
        if match.status != MatchStatus.ACTIVE or not take_turn(match_id=match.pk, version=match.version):
            break
        match = Match.objects.get(pk=match.pk)
    return match


@pytest.mark.parametrize("ruleset", ("classic", "revised", "booklet", "haggish", "deluxe"))
def test_matches_of_every_rule_set_fold_to_what_is_stored(database: str, ruleset: str) -> None:
    for players in allowed_players(ruleset):
        play(start_match(*["random"] * players, ruleset=ruleset, rounds=2))
    counts = verify_matches()
    assert counts.matches == len(allowed_players(ruleset))
    assert counts.rounds == Round.objects.count() >= 2 * counts.matches  # more where two were tied
    assert counts.events == sum(Match.objects.values_list("version", flat=True))


def test_matches_that_wait_and_that_run_fold_too(database: str) -> None:
    make_match(make_player(), make_player())
    running = play(start_match("random", "random"), turns=60)
    assert running.status == MatchStatus.ACTIVE
    assert verify_matches().matches == 2


def test_matches_with_seats_given_up_fold_too(database: str) -> None:
    players = [make_player() for _ in range(3)]
    match = start_match(*players, rounds=1)
    resign(match_id=match.pk, player=players[1])
    verify_matches(match_id=match.pk)
    resign(match_id=match.pk, player=players[2])
    assert (Match.objects.get(pk=match.pk).result or {})["winners"] == [0]
    other = start_match(players[0], "random", "random", rounds=1)
    resign(match_id=other.pk, player=players[0])
    assert play(other).status == MatchStatus.FINISHED
    assert verify_matches().matches == 2


def spoil_snapshot(match: Match) -> None:
    state = Snapshot.objects.get(match=match).state.reveal()
    Snapshot.objects.filter(match=match).update(state=Secret({**state, "spoilt": True}))


def spoil_deal(match: Match) -> None:
    dealt = Round.objects.get(match=match, number=1).deal.reveal()
    dealt["hands"] = dealt["hands"][::-1]
    Round.objects.filter(match=match, number=1).update(deal=Secret(dealt))


def spoil_match(**fields: Any) -> Callable[[Match], object]:
    return lambda match: Match.objects.filter(pk=match.pk).update(**fields)


def spoil_round(**fields: Any) -> Callable[[Match], object]:
    return lambda match: Round.objects.filter(match=match, number=1).update(**fields)


SPOILT: dict[str, Callable[[Match], object]] = {
    "the totals": spoil_match(totals=[1, 2]),
    "the status": spoil_match(status=MatchStatus.PAUSED),
    "what is expected": spoil_match(expects="award"),
    "the round": spoil_match(round_number=9),
    "the number of events": spoil_match(version=10_000),
    "the snapshot": spoil_snapshot,
    "the version of the snapshot": lambda match: Snapshot.objects.filter(match=match).update(version=1),
    "round 1: deal": spoil_deal,
    "round 1: scores": spoil_round(scores=[]),
    "round 1: out": spoil_round(out=[0, 1, 0]),
    "round 1: link": spoil_round(link="00" * 32),
    "round 1: totals": spoil_round(totals=[0, 0]),
    "round 1: first_version": spoil_round(first_version=2),
    "the bets": lambda match: Bet.objects.create(match=match, round_number=77, seat=0, amount=5, version=3),
}


@pytest.mark.parametrize("where", SPOILT)
def test_whatever_is_not_as_the_log_says_is_named_without_a_card(
    database: str, where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    match = start_match("random", "random")
    while Match.objects.get(pk=match.pk).round_number == 1:
        play(match, turns=1)
    verify_matches()
    SPOILT[where](match)
    with pytest.raises(CommandError) as difference:
        call_command("verify_matches")
    assert str(difference.value) == f"Not as the log says: {match.pk}: {where}"
    assert difference.value.returncode == 1


def test_the_result_of_a_finished_match_is_compared(database: str) -> None:
    match = play(start_match("random", "random", rounds=1))
    Match.objects.filter(pk=match.pk).update(result={"winners": []})
    with pytest.raises(Difference, match="the result"):
        verify_matches()


def change_seat(entry: Form) -> None:
    entry["seat"] = 1 - entry["seat"]


def change_then(entry: Form) -> None:
    entry["then"] = [*entry["then"], {"type": "out", "seat": 0}]


def change_next(entry: Form) -> None:
    entry["next"]["to_act"] = 1 - entry["next"]["to_act"]


def change_amount(entry: Form) -> None:
    entry["amount"] = 77


def change_to(entry: Form) -> None:
    entry["to"] = 1


def change_cards(entry: Form) -> None:
    entry["type"], entry["cards"], entry["combination"] = "play", ["2r", "3o", "9y"], None


def change_version(entry: Form) -> None:
    entry["version"] += 1


ALTERED: dict[str, Callable[[Form], None]] = {
    "type": change_cards,
    "this cannot have happened": change_amount,
    "to": change_to,
    "then": change_then,
    "next to act": change_next,
    "version": change_version,
    "seat": change_seat,
}


@pytest.mark.parametrize("where", ALTERED)
def test_an_entry_that_was_altered_is_named(database: str, where: str) -> None:
    """The database itself lets nobody alter an entry, so it is altered on its way from there."""
    players = make_player(), make_player()
    match = start_match(*players)
    act(match_id=match.pk, player=players[0], body={"version": 1, "type": "bet", "amount": 15})
    row = read_row(match)
    fold = MatchReplay(row.agreement, row.deals(), ReplayedSeats(2))
    started, bet = Move.objects.filter(match=match).order_by("version")
    verification._compare_entry(row, fold, started)
    ALTERED[where](bet.entry)
    with pytest.raises(Difference, match=f"version {bet.version}: {where}"):
        verification._compare_entry(row, fold, bet)


def test_an_entry_that_the_rules_refuse_is_named(database: str) -> None:
    match = play(start_match("easy", "easy"), turns=1)
    row = read_row(match)
    fold = MatchReplay(row.agreement, row.deals(), ReplayedSeats(2))
    move = Move.objects.get(match=match, version=2)
    with pytest.raises(Difference, match="version 2: version"):
        verification._compare_entry(row, fold, move)
    fold.version = 1
    with pytest.raises(Difference, match="version 2: this cannot have happened"):
        verification._compare_entry(row, fold, move)


def test_a_match_that_is_not_there_is_a_difference(database: str) -> None:
    with pytest.raises(Difference, match="there is no such match"):
        verify_matches(match_id="m_nothing")


def test_the_command_says_how_much_it_went_through(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    match = play(start_match("random", "random", rounds=1))
    call_command("verify_matches", match=match.pk)
    said = capsys.readouterr().out
    assert said == f"1 matches, 1 rounds, {match.version} events: all as the logs say.\n"
