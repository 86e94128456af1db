"""Scenarios that send a webhook message of every type."""

import json
from typing import Any, Final

from games.clock.pauses import request_pause, request_resume
from games.clock.timeouts import reclaim_seat, time_out_due_turns
from games.identity.models import Player
from games.lobby.services.creation import create_match, refill_seat
from games.lobby.services.membership import cancel_match, decline_invitation, join_match, leave_match
from games.matches.models.log import SUBSCRIBABLE_TYPES
from games.notices.models import NoticeData, NoticeType
from games.notices.services import notify_player
from games.notifications.bodies import read_body
from games.notifications.deliveries import TEST
from games.notifications.models import Delivery
from games.notifications.webhooks import send_test
from games.operators.services import Role, annul_match, extend_turn
from games.play.resignation import resign
from tests.games.notifications.conftest import make_endpoint
from tests.support.factories import JsonObject, make_operator, make_overdue, make_player, start_match
from tests.support.table import Table

NOTICES: Final[dict[NoticeType, NoticeData]] = {
    NoticeType.SEEK_MATCHED: {"seek": "sk_4b1c9f20a7d35e86", "match": "m_01m7qgyh0g0qwdwzjhj0kkzyyg"},
    NoticeType.RATING_CHANGED: {
        "match": "m_01m7qgyh0g0qwdwzjhj0kkzyyg",
        "pool": "classic-2",
        "before": 1500,
        "rating": 1512,
    },
    NoticeType.BOARD_OPENED: {"board": "bd_9e0d51c27f4a6b83"},
    NoticeType.BOARD_CLOSED: {"board": "bd_9e0d51c27f4a6b83"},
    NoticeType.EXPORT_READY: {"export": "ex_7c3a95d01be2f648", "expires_at": "2026-11-25T16:04:05.123Z"},
    NoticeType.SECURITY: {"event": "new_device", "device": "Firefox on Linux"},
}


def send_everything() -> dict[str, Any]:
    """Return a message of each type, sent to one player."""
    me, other, third = make_player("anna"), make_player("ben"), make_player("cora")
    endpoint = make_endpoint(me, types=[*SUBSCRIBABLE_TYPES, *NoticeType.values])
    _fill_and_cancel(me, other, third)
    _play_to_the_end(me, other)
    _interrupt(me, other)
    _award_and_resign(me)
    for type_, data in NOTICES.items():
        notify_player(player_id=me.pk, type=type_, data=data)
    send_test(player=me, webhook_id=endpoint.public_id)
    messages: dict[str, Any] = {}
    for delivery in Delivery.objects.select_related("webhook").filter(webhook=endpoint).order_by("pk"):
        messages.setdefault(delivery.type, json.loads(read_body(delivery) or ""))
    return {type_: messages[type_] for type_ in (*SUBSCRIBABLE_TYPES, *NoticeType.values, TEST)}


def _fill_and_cancel(me: Player, other: Player, third: Player) -> None:
    seats: list[JsonObject] = [
        {"kind": "me"},
        {"kind": "player", "username": other.username},
        {"kind": "open"},
    ]
    match_id = create_match(maker=me, body={"ruleset": "classic", "seats": seats})["id"]
    decline_invitation(match_id=match_id, player=other, reason="no time")
    join_match(match_id=match_id, player=third)
    leave_match(match_id=match_id, player=third)
    refill_seat(match_id=match_id, player=me, number=1, body={"kind": "open"})
    cancel_match(match_id=match_id, player=me)


def _play_to_the_end(me: Player, other: Player) -> None:
    match = start_match(me, other, rounds=2)
    table = Table.of(match, seed=3)
    table.bet(me.username, 15)
    table.finish()


def _interrupt(me: Player, other: Player) -> None:
    operator = make_operator(Role.OPERATOR)
    match = start_match(me, other, turn_seconds=600, timeouts_allowed=0)
    for player in (me, other):
        request_pause(match_id=match.pk, player=player)
    for player in (me, other):
        request_resume(match_id=match.pk, player=player)
    extend_turn(operator=operator, match_id=match.pk, reason="an outage", seconds=60)
    match.refresh_from_db()
    late = (me, other)[match.to_act or 0]
    make_overdue(match)
    time_out_due_turns()
    reclaim_seat(match_id=match.pk, player=late)
    annul_match(operator=operator, match_id=match.pk, reason="a fault")


def _award_and_resign(me: Player) -> None:
    hands = {me.username: "3r 9g 8g", "dora": "7y 8o 9o", "emil": "4r 5r 6g"}
    table = Table.start(me, "dora", "emil", leads=me.username, deals=[hands])
    table.play(me.username, "9g").play("dora", "J Q").passes("emil").passes(me.username)
    table.award("dora", to=me.username)
    resign(match_id=table.id, player=me)
