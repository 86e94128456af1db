"""Types of webhook messages: one for each type that was asked for, and one a turn."""

import json
from typing import Any

from games.clock.pauses import request_pause, request_resume
from games.identity.models import Player
from games.matches.models.log import SUBSCRIBABLE_TYPES, Move
from games.matches.models.match import Match
from games.matches.recipients import seat_whose_turn_begins
from games.notices.models import NoticeType, PlayerNotice, SecurityData
from games.notices.services import notify_player
from games.notifications.bodies import read_body
from games.notifications.deliveries import claim_batches
from games.notifications.models import Delivery, Webhook
from tests.games.notifications.conftest import make_endpoint
from tests.support.factories import make_player, read_row, start_match
from tests.support.table import Table


def messages_to(webhook: Webhook) -> list[Any]:
    """Return the bodies of all deliveries to an endpoint."""
    rows = Delivery.objects.select_related("webhook").filter(webhook=webhook).order_by("pk")
    return [json.loads(read_body(each) or "") for each in rows]


def entries_of(match: Match) -> list[Any]:
    return list(Move.objects.filter(match=match).order_by("version").values_list("entry", flat=True))


def turns_of(seat: int, entries: list[Any]) -> list[int]:
    """Return the versions at which a turn of a seat begins."""
    versions, before = [], None
    for entry in entries:
        to_act = entry["next"]["to_act"]
        is_next_round = any(each["type"] == "deal" for each in entry["then"])
        if to_act == seat and (before != seat or is_next_round):
            versions.append(entry["version"])
        before = to_act
    return versions


def play_rounds(*people: Player, rounds: int = 1) -> Match:
    match = start_match(*people, rounds=rounds)
    Table.of(match, seed=3).finish()
    return match


def test_each_type_that_was_asked_for_is_one_message(database: str) -> None:
    me, other = make_player(), make_player()
    asked = make_endpoint(me, types=["trick_end", "round_end", "match_end", "play", "your_turn"])
    match = play_rounds(me, other, rounds=2)
    expected = []
    entries = entries_of(match)
    turns = turns_of(0, entries)
    for entry in entries:
        types = [entry["type"], *dict.fromkeys(each["type"] for each in entry["then"])]
        types += ["your_turn"] if entry["version"] in turns else []
        expected += [(each, entry["version"]) for each in types if each in (asked.selected_types or ())]
    sent = [(each["type"], each["data"]["entry"]["version"]) for each in messages_to(asked)]
    assert sorted(sent) == sorted(expected)
    assert sum(type_ == "round_end" for type_, _ in sent) == 2
    assert sum(type_ == "match_end" for type_, _ in sent) == 1


def test_a_turn_is_one_message_however_many_entries_it_has(database: str) -> None:
    people = make_player(), make_player(), make_player()
    hooks = [make_endpoint(each, types=["your_turn"]) for each in people]
    match = play_rounds(*people)
    entries = entries_of(match)
    for seat, hook in enumerate(hooks):
        sent = messages_to(hook)
        assert [each["data"]["entry"]["version"] for each in sent] == turns_of(seat, entries)
        assert {(each["data"]["your_seat"], each["data"]["your_turn"]) for each in sent} == {(seat, True)}


def test_an_award_and_the_lead_after_it_are_one_turn(database: str) -> None:
    hands = {"anna": "3r 9g 8g", "ben": "7y 8o 9o", "cora": "4r 5r 6g"}
    table = Table.start("anna", "ben", "cora", leads="anna", deals=[hands])
    ben = Player.objects.get(username=table["ben"].username)
    hook = make_endpoint(ben, types=["your_turn", "award"])
    table.play("anna", "9g").play("ben", "J Q").passes("cora").passes("anna")
    assert [each["type"] for each in messages_to(hook)] == ["your_turn", "your_turn"]
    table.award("ben", to="anna")
    assert [each["type"] for each in messages_to(hook)] == ["your_turn", "your_turn", "award"]


def test_a_seat_that_leads_the_round_after_its_last_card_has_a_new_turn(database: str) -> None:
    match = start_match(make_player(), make_player())
    row = read_row(match)
    [entry] = entries_of(match)
    last_play = {**entry, "type": "play", "then": [{"type": "out"}, {"type": "round_end"}, {"type": "deal"}]}
    bet = {**entry, "type": "bet", "then": []}
    assert row.to_act == entry["next"]["to_act"]
    assert seat_whose_turn_begins(row, row, last_play) == row.seats[row.to_act or 0]  # type: ignore[arg-type]
    assert seat_whose_turn_begins(row, row, bet) is None  # type: ignore[arg-type]


def test_an_endpoint_without_types_gets_each_entry_once(database: str) -> None:
    me = make_player()
    hook = make_endpoint(me)
    match = play_rounds(me, make_player())
    sent = [(each["type"], each["data"]["entry"]) for each in messages_to(hook)]
    assert sent == [(entry["type"], entry) for entry in entries_of(match)]


def test_a_watching_player_has_no_seat_and_no_turn(database: str) -> None:
    people = make_player(), make_player()
    match = start_match(*people)
    hook = make_endpoint(make_player(), match=match.pk, types=list(SUBSCRIBABLE_TYPES))
    Table.of(match).take_turn()
    sent = messages_to(hook)
    assert sent
    assert {(each["data"]["your_seat"], each["data"]["your_turn"]) for each in sent} == {(None, False)}
    assert "your_turn" not in {each["type"] for each in sent}


def test_the_seat_in_a_message_does_not_change_when_the_player_leaves(database: str) -> None:
    me = make_player()
    match = start_match(make_player(), me)
    hook = make_endpoint(me)
    Table.of(match).take_turn()
    first = messages_to(hook)
    match.seats.filter(player=me).update(player=make_player())
    assert messages_to(hook) == first
    assert first[0]["data"]["your_seat"] == 1


def test_a_resumed_turn_is_sent_again(database: str) -> None:
    me, other = make_player(), make_player()
    match = start_match(me, other, turn_seconds=3600)
    hook = make_endpoint(me, types=["your_turn"])
    table = Table.of(match)
    while Match.objects.get(pk=match.pk).to_act != 0:
        table.take_turn()
    before = len(messages_to(hook))
    for player in (me, other):
        request_pause(match_id=match.pk, player=player)
    for player in (me, other):
        request_resume(match_id=match.pk, player=player)
    assert len(messages_to(hook)) == before + 1


def test_a_notice_is_sent_with_its_id_and_data(database: str) -> None:
    me = make_player()
    hook = make_endpoint(me, types=["security"])
    data: SecurityData = {"event": "new_device", "device": "Firefox on Linux"}
    notice = notify_player(player_id=me.pk, type=NoticeType.SECURITY, data=data)
    assert notice is not None
    [body] = messages_to(hook)
    assert (body["type"], body["data"]) == ("security", {"notice": notice.public_id, **data})
    assert body["timestamp"] is not None


def test_delivery_of_a_deleted_notice_fails_without_a_request(committing_database: str) -> None:
    me = make_player()
    make_endpoint(me, types=["security"])
    notify_player(player_id=me.pk, type=NoticeType.SECURITY, data={"event": "new_device"})
    PlayerNotice.objects.all().delete()
    [batch] = claim_batches(at_most=1)
    assert batch.messages == ()
    assert set(Delivery.objects.values_list("status", "due_at")) == {("failed", None)}
