from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.clock.timeouts import time_out_due_turns
from games.core.times import format_time, parse_time
from games.matches.models.match import Match
from games.records.verification import verify_matches
from tests.support.clients import ROOT, client_of, code, faults, nobody, person
from tests.support.factories import make_overdue, with_clock

pytestmark = pytest.mark.usefixtures("database")


def test_usual_clocks_are_listed_for_everybody_and_can_be_agreed() -> None:
    response = nobody().get(f"{ROOT}/clocks")
    clocks = response.json()["results"]
    assert [clock["turn_seconds"] for clock in clocks] == [86400, 3 * 86400, 7 * 86400, 30, 120]
    assert {clock["kind"] for clock in clocks} == {"correspondence", "live"}
    assert nobody().get(f"{ROOT}/clocks", headers={"If-None-Match": response["ETag"]}).status_code == 304
    heather = client_of(person())
    for clock in clocks:
        agreed = {name: clock[name] for name in ("turn_seconds", "time_bank_seconds")}
        made = heather.post(f"{ROOT}/matches", {"ruleset": "classic", **agreed})
        assert made.status_code == 201
        assert agreed.items() <= made.json()["clock"].items()


@pytest.mark.parametrize("path", ("clocks", "rulesets"))
def test_what_cannot_be_read_is_refused_whatever_the_client_holds(path: str) -> None:
    assert nobody().get(f"{ROOT}/{path}?limit=0", headers={"If-None-Match": "*"}).status_code == 400


def two_at_a_table() -> tuple[Any, Any, str]:
    people = person(), person()
    match = with_clock(*people)
    heather, angus = map(client_of, people)
    return heather, angus, f"{ROOT}/matches/{match.pk}"


def test_a_match_is_paused_and_resumed_by_consent_of_all() -> None:
    heather, angus, table = two_at_a_table()
    assert heather.post(f"{table}/pause", {}).json()["pause"]["asked_by"] == [0]
    assert angus.get(table).json()["pause"] == {"paused": False, "asked_by": [0], "until": None}
    assert heather.delete(f"{table}/pause").json()["pause"] is None
    heather.post(f"{table}/pause", {})
    paused = angus.post(f"{table}/pause", {}).json()
    assert (paused["status"], paused["round"]["deadline"], paused["you"]["to_act"]) == ("paused", None, False)
    assert heather.get(f"{ROOT}/me/matches").json()["results"][0]["my_turn"] is False
    assert code(heather.post(f"{table}/pause", {})) == "match_not_active"
    assert angus.post(f"{table}/resume", {}).json()["status"] == "paused"
    assert heather.post(f"{table}/resume", {}).json()["status"] == "active"
    assert code(heather.post(f"{table}/resume", {})) == "match_not_paused"
    log = heather.get(f"{table}/moves").json()["results"]
    assert [entry["type"] for entry in log][-3:] == ["paused", "resume_asked", "resumed"]
    verify_matches()


def test_a_pause_that_is_asked_for_twice_under_one_key_is_asked_for_once() -> None:
    heather, _, table = two_at_a_table()
    asked = [heather.post(f"{table}/pause", {}, headers={"Idempotency-Key": "one"}) for _ in range(2)]
    assert asked[0].json() == asked[1].json()


def test_a_vacation_is_told_to_its_player_and_seen_at_the_seat() -> None:
    heather, _, table = two_at_a_table()
    until = timezone.now() + timedelta(days=3)
    tag = nobody().get(table)["ETag"]
    mine = heather.put(f"{ROOT}/me/vacation", {"until": format_time(until)})
    assert mine.json()["until"] == format_time(until)
    assert heather.get(f"{ROOT}/me/vacation").json() == mine.json()
    seen = nobody().get(table, headers={"If-None-Match": tag})
    assert seen.status_code == 200
    assert seen.json()["seats"][0]["vacation"] == format_time(until)
    assert heather.delete(f"{ROOT}/me/vacation").status_code == 204
    assert heather.get(f"{ROOT}/me/vacation").json()["until"] is None
    assert nobody().get(table).json()["seats"][0]["vacation"] is None


def test_a_vacation_that_cannot_be_is_refused() -> None:
    heather = client_of(person())
    for until, fault in (("2001-02-03T04:05:06Z", "in_the_past"), ("2999-02-03T04:05:06Z", "too_large")):
        assert faults(heather.put(f"{ROOT}/me/vacation", {"until": until})) == {("/until", fault)}
    assert faults(heather.put(f"{ROOT}/me/vacation", {"until": "tomorrow"})) == {("/until", "not_a_time")}


def test_most_urgent_tables_come_first() -> None:
    player, other = person(), person()
    matches = [with_clock(player, other, turn_seconds=seconds) for seconds in (500, 100, 300)]
    listed = client_of(player).get(f"{ROOT}/me/matches").json()["results"]
    deadlines = [parse_time(each["deadline"]) for each in listed if each["my_turn"]]
    assert deadlines == sorted(deadlines)  # type: ignore[type-var]  # all have one
    assert len(listed) == len(matches)


def test_the_log_says_by_whom_a_late_turn_was_taken() -> None:
    heather, _, table = two_at_a_table()
    match_id = table.rpartition("/")[2]
    make_overdue(Match.objects.get(pk=match_id))
    assert time_out_due_turns() == 1
    last = heather.get(f"{table}/moves").json()["results"][-1]
    assert last["by"] == "clock"
    assert last["next"]["deadline"] == heather.get(table).json()["round"]["deadline"]
