"""What an event leaves to be sent: for whom, and written with the event or not at all."""

from random import Random

import pytest

from games.clock.timeouts import time_out_due_turns
from games.clock.turn_events import current_timing, turn_event
from games.core.errors import Problem
from games.lobby.services.creation import create_match
from games.lobby.services.membership import decline_invitation, join_match
from games.matches.entries import commit_or_conflict
from games.matches.models.log import Actor, EventType, Move
from games.matches.models.match import Match, Visibility
from games.notifications.models import Delivery, Webhook
from games.play.resignation import resign
from games.play.services import act
from tests.games.notifications.conftest import endpoint
from tests.support.clients import HttpPlayer
from tests.support.factories import make_overdue, make_player, read_row, start_match


def told_of(webhook: Webhook) -> list[tuple[str | None, int | None, str]]:
    """What is to be sent to an endpoint."""
    rows = Delivery.objects.filter(webhook=webhook).order_by("pk")
    return list(rows.values_list("match", "version", "type"))


def move(match: Match) -> str:
    """Let whoever is to act do something; the type of what they did."""
    seats = {seat.number: seat.player for seat in match.seats.select_related("player")}
    player = seats[Match.objects.get(pk=match.pk).to_act or 0]
    answer = HttpPlayer.enter(match, player).play_something(Random(1))
    assert answer.status_code == 201, answer.content
    return str(answer.json()["move"]["type"])


def test_every_event_of_all_my_matches_is_to_be_sent(database: str) -> None:
    me, other = make_player(), make_player()
    webhook = endpoint(me)
    match = start_match(me, other)
    start_match(other, make_player())
    done = move(match)
    assert told_of(webhook) == [(match.pk, 1, "started"), (match.pk, 2, done)]


def test_an_endpoint_for_one_match_is_told_of_that_one_whoever_sits_there(database: str) -> None:
    watching, me = make_player(), make_player()
    first, second = start_match(me, make_player()), start_match(me, make_player())
    webhook = endpoint(watching, match=first.pk)
    done = move(first)
    move(second)
    assert told_of(webhook) == [(first.pk, 2, done)]


def test_an_endpoint_for_a_match_that_has_become_nobody_elses_is_told_nothing(database: str) -> None:
    watching, me = make_player(), make_player()
    match = start_match(me, make_player())
    webhook, mine = endpoint(watching, match=match.pk), endpoint(me, match=match.pk)
    Match.objects.filter(pk=match.pk).update(visibility=Visibility.PRIVATE)
    move(match)
    assert told_of(webhook) == []
    assert len(told_of(mine)) == 1


def test_nobody_names_a_match_that_they_may_not_see(database: str) -> None:
    match = start_match(make_player(), make_player(), visibility=Visibility.PRIVATE)
    with pytest.raises(Problem, match="no such match"):
        endpoint(make_player(), match=match.pk)


def test_what_is_not_asked_for_is_not_sent(database: str) -> None:
    me = make_player()
    everything, ends = endpoint(me), endpoint(me, types=["match_end", "round_end"])
    start_match(me, make_player(), rounds=1)
    match = start_match(me, make_player(), rounds=1)
    while Match.objects.get(pk=match.pk).status == "active":
        move(match)
    last = Match.objects.get(pk=match.pk).version
    assert [version for _, version, _ in told_of(ends)] == [last]
    assert len(told_of(everything)) == last + 1


def test_your_turn_is_sent_when_it_begins_and_once(database: str) -> None:
    me, other = make_player(), make_player()
    webhook = endpoint(me, types=["your_turn"])
    match = start_match(me, other)
    for _ in range(6):
        move(match)
    entries = Move.objects.filter(match=match).order_by("version").values_list("version", "entry")
    turns, before = [], None
    for version, entry in entries:
        if entry["next"]["to_act"] == 0 and before != 0:
            turns.append(version)
        before = entry["next"]["to_act"]
    assert [version for _, version, _ in told_of(webhook)] == turns


def test_whoever_is_asked_to_play_is_told_of_it_and_of_nothing_after_they_declined(database: str) -> None:
    maker, asked = make_player(), make_player()
    webhook = endpoint(asked)
    seats = [{"kind": "me"}, {"kind": "player", "username": asked.username}, {"kind": "open"}]
    table = create_match(maker=maker, body={"ruleset": "classic", "seats": seats})
    decline_invitation(match_id=table["id"], player=asked)
    join_match(match_id=table["id"], player=make_player())
    assert [type_ for _, _, type_ in told_of(webhook)] == ["invited", "declined"]


def test_whoever_resigns_is_told_of_that_and_of_nothing_after_it(database: str) -> None:
    me, others = make_player(), (make_player(), make_player())
    webhook = endpoint(me)
    match = start_match(me, *others)
    resign(match_id=match.pk, player=me)
    Match.objects.filter(pk=match.pk).update(wake_at=None)
    if Match.objects.get(pk=match.pk).to_act != 0:
        move(match)
    assert [type_ for _, _, type_ in told_of(webhook)] == ["started", "resigned"]


def test_whoever_has_an_ai_play_for_them_is_told(database: str) -> None:
    people = make_player(), make_player()
    match = start_match(*people, turn_seconds=10, timeouts_allowed=0)
    webhook = endpoint(people[match.to_act or 0], types=["caretaker"])
    make_overdue(match)
    time_out_due_turns()
    assert told_of(webhook) == [(match.pk, 2, "caretaker")]


def test_an_endpoint_that_is_stopped_is_told_nothing(database: str) -> None:
    me = make_player()
    webhook = endpoint(me)
    Webhook.objects.update(active=False)
    start_match(me, make_player())
    assert told_of(webhook) == []


def test_an_action_that_is_refused_or_too_late_leaves_nothing_to_be_sent(database: str) -> None:
    me = make_player()
    match = start_match(me, make_player())
    webhook = endpoint(me)
    row = read_row(match)
    move(match)
    sent = told_of(webhook)
    with pytest.raises(Problem):
        act(match_id=match.pk, player=me, body={"version": row.version, "type": "pass"})
    assert told_of(webhook) == sent


def test_ids_are_all_different(database: str) -> None:
    me = make_player()
    for _ in range(3):
        endpoint(me)
    start_match(me, make_player())
    ids = set(Delivery.objects.values_list("public_id", flat=True))
    assert len(ids) == 3
    assert all(len(each) == 36 and each.startswith("msg_") for each in ids)


def test_a_match_without_people_is_delivered_to_its_subscribers(database: str) -> None:
    match = start_match("easy", "easy")
    watching = endpoint(make_player(), match=match.pk)
    row = read_row(match)
    commit_or_conflict(turn_event(row, EventType.EXTENDED, current_timing(row), by=Actor.CLOCK))
    assert told_of(watching) == [(match.pk, 2, "extended")]
