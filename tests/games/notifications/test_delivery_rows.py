"""Which deliveries an event inserts, for which endpoints."""

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
from tests.games.notifications.conftest import make_endpoint
from tests.support.factories import JsonObject, make_overdue, make_player, read_row, start_match
from tests.support.table import Table


def deliveries_to(webhook: Webhook) -> list[tuple[str | None, int | None, str]]:
    """Return the match, version and type of the deliveries of an endpoint."""
    rows = Delivery.objects.filter(webhook=webhook).order_by("pk")
    return list(rows.values_list("match", "version", "type"))


def test_all_events_of_the_players_matches_are_queued(database: str) -> None:
    me, other = make_player(), make_player()
    webhook = make_endpoint(me)
    match = start_match(me, other)
    start_match(other, make_player())
    move_type = Table.of(match).take_turn()["type"]
    assert deliveries_to(webhook) == [(match.pk, 1, "started"), (match.pk, 2, move_type)]


def test_endpoint_for_one_match_gets_the_events_of_that_match_only(database: str) -> None:
    watching, me = make_player(), make_player()
    first, second = start_match(me, make_player()), start_match(me, make_player())
    webhook = make_endpoint(watching, match=first.pk)
    move_type = Table.of(first).take_turn()["type"]
    Table.of(second).take_turn()
    assert deliveries_to(webhook) == [(first.pk, 2, move_type)]


def test_spectator_endpoint_gets_nothing_once_the_match_is_private(database: str) -> None:
    watching, me = make_player(), make_player()
    match = start_match(me, make_player())
    webhook, mine = make_endpoint(watching, match=match.pk), make_endpoint(me, match=match.pk)
    Match.objects.filter(pk=match.pk).update(visibility=Visibility.PRIVATE)
    Table.of(match).take_turn()
    assert deliveries_to(webhook) == []
    assert len(deliveries_to(mine)) == 1


def test_endpoint_for_an_invisible_match_is_rejected(database: str) -> None:
    match = start_match(make_player(), make_player(), visibility=Visibility.PRIVATE)
    with pytest.raises(Problem, match="no such match"):
        make_endpoint(make_player(), match=match.pk)


def test_only_selected_event_types_are_queued(database: str) -> None:
    me = make_player()
    everything, ends = make_endpoint(me), make_endpoint(me, types=["match_end", "round_end"])
    start_match(me, make_player(), rounds=1)
    match = start_match(me, make_player(), rounds=1)
    Table.of(match).finish()
    last = Match.objects.get(pk=match.pk).version
    assert deliveries_to(ends) == [(match.pk, last, "round_end"), (match.pk, last, "match_end")]
    assert len(deliveries_to(everything)) == last + 1


def test_your_turn_is_queued_once_when_the_turn_begins(database: str) -> None:
    me, other = make_player(), make_player()
    webhook = make_endpoint(me, types=["your_turn"])
    match = start_match(me, other)
    table = Table.of(match)
    for _ in range(6):
        table.take_turn()
    entries = Move.objects.filter(match=match).order_by("version").values_list("version", "entry")
    turns, before = [], None
    for version, entry in entries:
        if entry["next"]["to_act"] == 0 and before != 0:
            turns.append(version)
        before = entry["next"]["to_act"]
    assert [version for _, version, _ in deliveries_to(webhook)] == turns


def test_invited_player_gets_nothing_after_declining(database: str) -> None:
    maker, invited = make_player(), make_player()
    webhook = make_endpoint(invited)
    seats: list[JsonObject] = [
        {"kind": "me"},
        {"kind": "player", "username": invited.username},
        {"kind": "open"},
    ]
    table = create_match(maker=maker, body={"ruleset": "classic", "seats": seats})
    decline_invitation(match_id=table["id"], player=invited)
    join_match(match_id=table["id"], player=make_player())
    assert [type_ for _, _, type_ in deliveries_to(webhook)] == ["invited", "declined"]


def test_player_gets_nothing_after_resigning(database: str) -> None:
    me, others = make_player(), (make_player(), make_player())
    webhook = make_endpoint(me)
    match = start_match(me, *others)
    resign(match_id=match.pk, player=me)
    Match.objects.filter(pk=match.pk).update(wake_at=None)
    if Match.objects.get(pk=match.pk).to_act != 0:
        Table.of(match).take_turn()
    assert [type_ for _, _, type_ in deliveries_to(webhook)] == ["started", "resigned"]


def test_replaced_player_gets_a_caretaker_event(database: str) -> None:
    people = make_player(), make_player()
    match = start_match(*people, turn_seconds=10, timeouts_allowed=0)
    webhook = make_endpoint(people[match.to_act or 0], types=["caretaker"])
    make_overdue(match)
    time_out_due_turns()
    assert deliveries_to(webhook) == [(match.pk, 2, "caretaker")]


def test_inactive_endpoint_gets_nothing(database: str) -> None:
    me = make_player()
    webhook = make_endpoint(me)
    Webhook.objects.update(active=False)
    start_match(me, make_player())
    assert deliveries_to(webhook) == []


def test_rejected_action_queues_nothing(database: str) -> None:
    me = make_player()
    match = start_match(me, make_player())
    webhook = make_endpoint(me)
    row = read_row(match)
    Table.of(match).take_turn()
    before = deliveries_to(webhook)
    with pytest.raises(Problem):
        act(match_id=match.pk, player=me, body={"version": row.version, "type": "pass"})
    assert deliveries_to(webhook) == before


def test_delivery_ids_are_unique(database: str) -> None:
    me = make_player()
    for _ in range(3):
        make_endpoint(me)
    start_match(me, make_player())
    ids = set(Delivery.objects.values_list("public_id", flat=True))
    assert len(ids) == 3
    assert all(len(each) == 36 and each.startswith("msg_") for each in ids)


def test_a_match_without_people_is_delivered_to_its_subscribers(database: str) -> None:
    match = start_match("easy", "easy")
    watching = make_endpoint(make_player(), match=match.pk)
    row = read_row(match)
    commit_or_conflict(turn_event(row, EventType.EXTENDED, current_timing(row), by=Actor.CLOCK))
    assert deliveries_to(watching) == [(match.pk, 2, "extended")]
