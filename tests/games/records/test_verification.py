from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from games.ai.services import take_turn
from games.clock.pauses import request_pause
from games.clock.timeouts import caretaker_event
from games.core.secrets import Secret
from games.gateway.agreement import allowed_players
from games.gateway.match_replay import MatchReplay, ReplayedSeats
from games.identity.models import Closing, Player
from games.identity.services import close_account
from games.matches.entries import commit_or_conflict
from games.matches.models.log import Actor, Bet, Move, Round, Snapshot
from games.matches.models.match import Match, MatchStatus, Seat, SeatState
from games.matches.publish import publish
from games.play.resignation import resign
from games.play.services import act
from games.records import verification
from games.records.verification import Difference, verify_matches
from tests.support.factories import make_match, make_player, read_row, start_match
from tests.support.roles import as_owner

JsonObject = dict[str, Any]


def play(match: Match, turns: int = 10_000) -> Match:
    match = Match.objects.get(pk=match.pk)
    for _ in range(turns):
        if match.status != MatchStatus.ACTIVE or not take_turn(match_id=match.pk, version=match.version):
            break
        match = Match.objects.get(pk=match.pk)
    return match


@pytest.mark.parametrize("ruleset", ("classic", "revised", "booklet", "haggish", "deluxe"))
def test_replayed_matches_of_every_rule_set_equal_the_stored_ones(database: str, ruleset: str) -> None:
    for players in allowed_players(ruleset):
        play(start_match(*["random"] * players, ruleset=ruleset, rounds=2))
    counts = verify_matches()
    assert counts.matches == len(allowed_players(ruleset))
    assert counts.rounds == Round.objects.count() >= 2 * counts.matches  # more where two were tied
    assert counts.events == sum(Match.objects.values_list("version", flat=True))


def test_open_and_running_matches_are_verified(database: str) -> None:
    make_match(make_player(), make_player())
    running = play(start_match("random", "random"), turns=60)
    assert running.status == MatchStatus.ACTIVE
    assert verify_matches().matches == 2


def test_matches_with_resigned_seats_are_verified(database: str) -> None:
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


def corrupt_snapshot(match: Match) -> None:
    state = Snapshot.objects.get(match=match).state.reveal()
    Snapshot.objects.filter(match=match).update(state=Secret({**state, "corrupted": True}))


def corrupt_deal(match: Match) -> None:
    deal = Round.objects.get(match=match, number=1).deal.reveal()
    deal["hands"] = deal["hands"][::-1]
    Round.objects.filter(match=match, number=1).update(deal=Secret(deal))


def corrupt_match(**fields: Any) -> Callable[[Match], object]:
    return lambda match: Match.objects.filter(pk=match.pk).update(**fields)


def corrupt_round(**fields: Any) -> Callable[[Match], object]:
    return lambda match: Round.objects.filter(match=match, number=1).update(**fields)


CORRUPTIONS: dict[str, Callable[[Match], object]] = {
    "the totals": corrupt_match(totals=[1, 2]),
    "the status": corrupt_match(status=MatchStatus.PAUSED),
    "the expected action": corrupt_match(expects="award"),
    "the round": corrupt_match(round_number=9),
    "the number of events": corrupt_match(version=10_000),
    "the snapshot": corrupt_snapshot,
    "the version of the snapshot": lambda match: Snapshot.objects.filter(match=match).update(version=1),
    "round 1: deal": corrupt_deal,
    "round 1: scores": corrupt_round(scores=[]),
    "round 1: out": corrupt_round(out=[0, 1, 0]),
    "round 1: link": corrupt_round(link="00" * 32),
    "round 1: totals": corrupt_round(totals=[0, 0]),
    "round 1: first_version": corrupt_round(first_version=2),
    "the bets": lambda match: Bet.objects.create(match=match, round_number=77, seat=0, amount=5, version=3),
}


@pytest.mark.parametrize("where", CORRUPTIONS)
def test_verify_matches_names_the_place_of_a_difference_without_its_value(
    database: str, where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    match = start_match("random", "random")
    while Match.objects.get(pk=match.pk).round_number == 1:
        play(match, turns=1)
    verify_matches()
    CORRUPTIONS[where](match)
    with pytest.raises(CommandError) as difference:
        call_command("verify_matches")
    assert str(difference.value) == f"Stored data differs from the log: {match.pk}: {where}"
    assert difference.value.returncode == 1


def test_the_result_of_a_finished_match_is_compared(database: str) -> None:
    match = play(start_match("random", "random", rounds=1))
    Match.objects.filter(pk=match.pk).update(result={"winners": []})
    with pytest.raises(Difference, match="the result"):
        verify_matches()


def change_seat(entry: JsonObject) -> None:
    entry["seat"] = 1 - entry["seat"]


def change_then(entry: JsonObject) -> None:
    entry["then"] = [*entry["then"], {"type": "out", "seat": 0}]


def change_next(entry: JsonObject) -> None:
    entry["next"]["to_act"] = 1 - entry["next"]["to_act"]


def change_amount(entry: JsonObject) -> None:
    entry["amount"] = 77


def change_to(entry: JsonObject) -> None:
    entry["to"] = 1


def change_cards(entry: JsonObject) -> None:
    entry["type"], entry["cards"], entry["combination"] = "play", ["2r", "3o", "9y"], None


def change_version(entry: JsonObject) -> None:
    entry["version"] += 1


ALTERATIONS: dict[str, Callable[[JsonObject], None]] = {
    "type": change_cards,
    "not a legal event": change_amount,
    "to": change_to,
    "then": change_then,
    "next to act": change_next,
    "version": change_version,
    "seat": change_seat,
}


@pytest.mark.parametrize("where", ALTERATIONS)
def test_an_altered_log_entry_is_reported_with_its_version(database: str, where: str) -> None:
    # Database triggers reject changes of log entries, so the entry is altered after it has been read.
    players = make_player(), make_player()
    match = start_match(*players)
    act(match_id=match.pk, player=players[0], body={"version": 1, "type": "bet", "amount": 15})
    row = read_row(match)
    replay = MatchReplay(row.agreement, row.deals(), ReplayedSeats(2))
    started, bet = Move.objects.filter(match=match).order_by("version")
    verification._compare_entry(row, replay, started)
    ALTERATIONS[where](bet.entry)
    with pytest.raises(Difference, match=f"version {bet.version}: {where}"):
        verification._compare_entry(row, replay, bet)


def test_an_entry_that_the_rules_reject_is_reported_with_its_version(database: str) -> None:
    match = play(start_match("easy", "easy"), turns=1)
    row = read_row(match)
    replay = MatchReplay(row.agreement, row.deals(), ReplayedSeats(2))
    move = Move.objects.get(match=match, version=2)
    with pytest.raises(Difference, match="version 2: version"):
        verification._compare_entry(row, replay, move)
    replay.version = 1
    with pytest.raises(Difference, match="version 2: not a legal event"):
        verification._compare_entry(row, replay, move)


def test_an_unknown_match_id_is_reported_as_a_difference(database: str) -> None:
    with pytest.raises(Difference, match="there is no such match"):
        verify_matches(match_id="m_nothing")


def test_the_command_reports_how_much_it_verified(database: str, capsys: pytest.CaptureFixture[str]) -> None:
    match = play(start_match("random", "random", rounds=1))
    call_command("verify_matches", match=match.pk)
    output = capsys.readouterr().out
    rounds = match.rounds.count()  # a tie adds a round
    assert output == f"1 matches, {rounds} rounds, {match.version} events: no differences.\n"


def close_without_leaving(player: Player) -> None:
    """Close an account as a release did that could miss matches; the database refuses it otherwise."""
    close_account(player=player, closing=Closing.BAN)
    with as_owner(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET session_replication_role = replica")  # no triggers
        else:
            cursor.execute("DROP TRIGGER games_player_closed_without_seats")
        Player.objects.filter(pk=player.pk).update(closing="")
        if connection.vendor == "postgresql":
            cursor.execute("SET session_replication_role = DEFAULT")


def open_with_maker_only(player: Player) -> Match:
    match = make_match(make_player(), make_player())
    Match.objects.filter(pk=match.pk).update(maker=player)
    return match


def invite(player: Player) -> Match:
    match = make_match(make_player(), player)
    Seat.objects.filter(match=match, player=player).update(state=SeatState.INVITED)
    return match


def take_over(player: Player) -> Match:
    match = start_match(player, make_player())
    publish(commit_or_conflict(caretaker_event(read_row(match), read_row(match).seats[0], by=Actor.CLOCK)))
    return match


@pytest.mark.parametrize(
    ("make", "reason"),
    (
        (lambda player: start_match(player, make_player()), "seat 0 waits for a deleted or banned player"),
        (lambda player: start_match(make_player(), player), "seat 1 waits for a deleted or banned player"),
        (take_over, "seat 0 waits for a deleted or banned player"),
        (invite, "seat 1 waits for a deleted or banned player"),
        (open_with_maker_only, "waits for its deleted or banned maker"),
    ),
)
def test_a_match_that_waits_for_a_closed_account_is_reported(database: str, make: Any, reason: str) -> None:
    player = make_player()
    match = make(player)
    verify_matches(match_id=match.pk)
    close_without_leaving(player)
    with pytest.raises(Difference, match=reason):
        verify_matches(match_id=match.pk)


def test_a_match_of_an_account_that_is_being_closed_is_not_reported(database: str) -> None:
    player = make_player()
    match = start_match(player, make_player())
    close_account(player=player, closing=Closing.BAN)
    verify_matches(match_id=match.pk)


@pytest.mark.parametrize(
    ("make", "column"),
    (
        (lambda: start_match("random", "random"), "wake_at"),
        (lambda: make_match(make_player(), make_player()), "expires_at"),
    ),
)
def test_a_match_that_waits_for_nobody_is_reported(database: str, make: Any, column: str) -> None:
    match = make()
    verify_matches(match_id=match.pk)
    Match.objects.filter(pk=match.pk).update(**{column: None})
    with pytest.raises(Difference, match="waits for nobody"):
        verify_matches(match_id=match.pk)


def test_a_paused_match_that_never_resumes_is_reported(database: str) -> None:
    player = make_player()
    match = start_match(player, "random")
    request_pause(match_id=match.pk, player=player)
    verify_matches(match_id=match.pk)
    Match.objects.filter(pk=match.pk).update(paused_until=None)
    with pytest.raises(Difference, match="waits for nobody"):
        verify_matches(match_id=match.pk)
