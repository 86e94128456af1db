from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.clock.timeouts import time_out_due_turns
from games.core.times import format_time, parse_time
from games.matches.models.match import Match
from games.records.verification import verify_matches
from tests.support.clients import ROOT, anonymous_client, client_of, code, field_errors, make_person
from tests.support.factories import make_overdue, start_timed_match

pytestmark = pytest.mark.usefixtures("database")


def test_clock_presets_are_public_and_can_be_used_for_a_match() -> None:
    response = anonymous_client().get(f"{ROOT}/clocks")
    presets = response.json()["results"]
    assert [preset["turn_seconds"] for preset in presets] == [86400, 3 * 86400, 7 * 86400, 30, 120]
    assert {preset["kind"] for preset in presets} == {"correspondence", "live"}
    assert (
        anonymous_client().get(f"{ROOT}/clocks", headers={"If-None-Match": response["ETag"]}).status_code
        == 304
    )
    heather = client_of(make_person())
    for preset in presets:
        clock_fields = {name: preset[name] for name in ("turn_seconds", "time_bank_seconds")}
        created = heather.post(f"{ROOT}/matches", {"ruleset": "classic", **clock_fields})
        assert created.status_code == 201
        assert clock_fields.items() <= created.json()["clock"].items()


@pytest.mark.parametrize("path", ("clocks", "rulesets"))
def test_invalid_limit_is_rejected_even_with_if_none_match(path: str) -> None:
    assert anonymous_client().get(f"{ROOT}/{path}?limit=0", headers={"If-None-Match": "*"}).status_code == 400


def match_of_two() -> tuple[Any, Any, str]:
    people = make_person(), make_person()
    match = start_timed_match(*people)
    heather, angus = map(client_of, people)
    return heather, angus, f"{ROOT}/matches/{match.pk}"


def test_match_is_paused_and_resumed_by_consent_of_all() -> None:
    heather, angus, table = match_of_two()
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


def test_repeated_pause_request_with_the_same_idempotency_key_returns_the_same_answer() -> None:
    heather, _, table = match_of_two()
    answers = [heather.post(f"{table}/pause", {}, headers={"Idempotency-Key": "one"}) for _ in range(2)]
    assert answers[0].json() == answers[1].json()


def test_vacation_is_returned_to_its_player_and_shown_at_the_seat() -> None:
    heather, _, table = match_of_two()
    until = timezone.now() + timedelta(days=3)
    tag = anonymous_client().get(table)["ETag"]
    response = heather.put(f"{ROOT}/me/vacation", {"until": format_time(until)})
    assert response.json()["until"] == format_time(until)
    assert heather.get(f"{ROOT}/me/vacation").json() == response.json()
    changed_table = anonymous_client().get(table, headers={"If-None-Match": tag})
    assert changed_table.status_code == 200
    assert changed_table.json()["seats"][0]["vacation"] == format_time(until)
    assert heather.delete(f"{ROOT}/me/vacation").status_code == 204
    assert heather.get(f"{ROOT}/me/vacation").json()["until"] is None
    assert anonymous_client().get(table).json()["seats"][0]["vacation"] is None


def test_invalid_vacation_is_rejected() -> None:
    heather = client_of(make_person())
    for until, error in (("2001-02-03T04:05:06Z", "in_the_past"), ("2999-02-03T04:05:06Z", "too_large")):
        assert field_errors(heather.put(f"{ROOT}/me/vacation", {"until": until})) == {("/until", error)}
    assert field_errors(heather.put(f"{ROOT}/me/vacation", {"until": "tomorrow"})) == {
        ("/until", "not_a_time")
    }


def test_own_matches_are_ordered_by_deadline() -> None:
    player, other = make_person(), make_person()
    matches = [start_timed_match(player, other, turn_seconds=seconds) for seconds in (500, 100, 300)]
    listed = client_of(player).get(f"{ROOT}/me/matches").json()["results"]
    deadlines = [parse_time(each["deadline"]) for each in listed if each["my_turn"]]
    assert deadlines == sorted(deadlines)  # type: ignore[type-var]  # all have a deadline
    assert len(listed) == len(matches)


def test_log_names_the_clock_as_actor_of_an_expired_turn() -> None:
    heather, _, table = match_of_two()
    match_id = table.rpartition("/")[2]
    make_overdue(Match.objects.get(pk=match_id))
    assert time_out_due_turns() == 1
    last = heather.get(f"{table}/moves").json()["results"][-1]
    assert last["by"] == "clock"
    assert last["next"]["deadline"] == heather.get(table).json()["round"]["deadline"]
