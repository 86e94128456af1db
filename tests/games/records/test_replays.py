"""Large records are stored and replayed by workers, within bounds."""

import json
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from django.db import connections
from django.utils import timezone

import tests.records
from games.api.content import MAX_BODY
from games.gateway import replay_process
from games.gateway.replay_process import verify_body, verify_in_process
from games.records import replays
from games.records.models import RecordVerification
from games.records.replays import verify_next_record
from games.records.tasks import delete_verifications, verify_records
from tests.support.clients import anonymous_client, code

VERIFY: Final = "/api/v1/records/verify"
RECORD: Final = json.loads((Path(tests.records.__file__).parent / "classic-2.json").read_text())
JsonObject = dict[str, Any]
LARGE: Final = 4 * 1024 * 1024


def padded(record: JsonObject, size: int = MAX_BODY + 1) -> bytes:
    """Return a body with this record that is too large to be answered at once."""
    return json.dumps({"record": record}).encode().ljust(size)


def brackets(size: int = LARGE) -> bytes:
    """Return a body of as many values as possible in this size that are not refused by their number."""
    return (b'{"record":{"a":[' + b"[]," * 490_000 + b"[]]}}").ljust(size)


def post(body: bytes, address: str = "192.0.2.1") -> Any:
    return anonymous_client().post(VERIFY, body, content_type="application/json", REMOTE_ADDR=address)


def read(accepted: Any) -> JsonObject:
    answer = anonymous_client().get(accepted.headers["Location"])
    assert answer.status_code == 200
    verification: JsonObject = answer.json()
    return verification


def test_a_small_record_is_answered_at_once(db: None) -> None:
    answer = post(padded(RECORD, MAX_BODY))
    assert (answer.status_code, answer.json()) == (200, {"valid": True, "deals": "proven"})
    assert not RecordVerification.objects.exists()


def test_a_large_record_is_answered_with_the_address_of_its_verdict(committing_database: str) -> None:
    accepted = post(padded(RECORD))
    assert (accepted.status_code, accepted.json()["status"]) == (202, "pending")
    assert accepted.headers["Location"] == f"/api/v1/records/verifications/{accepted.json()['id']}"
    assert read(accepted) == accepted.json()
    verify_records()
    finished = read(accepted)
    assert (finished["status"], finished["verdict"]) == ("finished", {"valid": True, "deals": "proven"})
    assert RecordVerification.objects.get().body is None


@pytest.mark.parametrize(
    ("body", "fault"),
    (
        (padded({**RECORD, "players": 3}), "wrong_length"),
        (b"[" * LARGE, None),
        (b'{"record": ' + b" " * MAX_BODY, "malformed_json"),
        (b"[]".ljust(MAX_BODY + 1), "validation_error"),
        (json.dumps({"record": {}, "more": 1}).encode().ljust(MAX_BODY + 1), "validation_error"),
        (b'{"record": ' + b"[" * 100 + b"]" * 100 + b"}" + b" " * MAX_BODY, "malformed_json"),
    ),
    ids=("invalid record", "too many values", "no JSON", "no object", "unknown member", "nested"),
)
def test_faults_of_a_large_body_are_part_of_the_verdict(db: None, body: bytes, fault: str | None) -> None:
    accepted = post(body)
    if fault is None:
        assert (accepted.status_code, code(accepted)) == (400, "malformed_json")
        return
    verify_records()
    verdict = read(accepted)["verdict"]
    assert (verdict["valid"], verdict["code"]) == (False, fault)


def test_a_record_that_is_being_replayed_is_running(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    accepted = post(padded(RECORD))
    seen: list[str] = []

    def verify(_: bytes) -> Any:
        seen.append(read(accepted)["status"])
        return {"valid": True, "deals": "proven"}

    monkeypatch.setattr(replays, "verify_in_process", verify)
    verify_records()
    assert seen == ["running"]


def test_a_replay_that_fails_is_repeated_once_and_then_reported(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    accepted = post(padded(RECORD))
    monkeypatch.setattr(replays, "verify_in_process", lambda _: None)
    assert verify_next_record()
    assert read(accepted)["status"] == "running"
    verify_records()
    assert (read(accepted)["status"], read(accepted)["verdict"]) == ("failed", None)
    assert RecordVerification.objects.get().body is None


def test_a_worker_that_dies_leaves_the_record_to_another(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    accepted = post(padded(RECORD))
    monkeypatch.setattr(replays, "verify_in_process", _die)
    with pytest.raises(SystemExit):
        verify_next_record()
    monkeypatch.undo()
    assert not verify_next_record()  # leased
    RecordVerification.objects.update(wake_at=timezone.now() - timedelta(seconds=1))
    verify_records()
    assert read(accepted)["status"] == "finished"


def _die(_: bytes) -> JsonObject:
    raise SystemExit


def test_only_some_records_are_replayed_at_once(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    post(padded(RECORD))
    monkeypatch.setattr(replays, "MAX_RUNNING", 0)
    assert not verify_next_record()


def test_the_same_record_of_the_same_client_is_stored_once(db: None) -> None:
    addresses = ("192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.2")
    ids = [post(padded(RECORD), address).json()["id"] for address in addresses]
    assert ids[0] == ids[1] != ids[2] == ids[3]
    assert RecordVerification.objects.count() == 2


def test_a_client_may_have_some_unfinished_verifications(db: None) -> None:
    bodies = [numbered(number) for number in range(replays.MAX_UNFINISHED_EACH + 1)]
    assert [post(body).status_code for body in bodies] == [202] * replays.MAX_UNFINISHED_EACH + [429]
    refused = post(bodies[-1])
    assert (code(refused), refused.headers["Retry-After"]) == ("rate_limited", "10")
    assert post(bodies[-1], "192.0.2.2").status_code == 202


def numbered(number: int) -> bytes:
    return padded({**RECORD, "match": f"m_{number}"})


def test_some_clients_cannot_fill_the_queue(database: str) -> None:
    """Eight addresses send what they can; there are places for others, who have one each."""
    sent = [(numbered(each), f"192.0.2.{client}") for client in range(8) for each in range(5)]
    statuses = [post(*each).status_code for each in sent]
    taken = statuses.count(202)
    assert (taken, statuses.count(429)) == (19, 21)
    others = [post(numbered(0), f"192.0.2.{client}").status_code for client in range(100, 114)]
    assert others == [202] * (replays.MAX_UNFINISHED - taken) + [503]


def test_clients_take_turns(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records of a client that came later are replayed after the first of the client that sent several."""
    for each in range(4):
        assert post(numbered(each), "192.0.2.1").status_code == 202
    for each in (10, 11):
        assert post(numbered(each), "192.0.2.2").status_code == 202
    order: list[str] = []

    def verify(body: bytes) -> Any:
        order.append(json.loads(body)["record"]["match"])
        return {"valid": True, "deals": "proven"}

    monkeypatch.setattr(replays, "verify_in_process", verify)
    while verify_next_record():
        pass
    assert order == ["m_0", "m_10", "m_1", "m_11", "m_2", "m_3"]


def concurrently(call: Callable[[int], Any], number: int = 16) -> list[Any]:
    """Return the results of calls in as many threads."""
    barrier, results = threading.Barrier(number), []

    def run(each: int) -> None:
        try:
            barrier.wait()
            results.append(call(each))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(each,)) for each in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_concurrent_requests_cannot_exceed_the_limits(committing_database: str) -> None:
    bodies = [numbered(number) for number in range(16)]
    statuses = concurrently(lambda number: post(bodies[number]).status_code)
    assert sorted(statuses) == [202] * replays.MAX_UNFINISHED_EACH + [429] * 12
    assert RecordVerification.objects.count() == replays.MAX_UNFINISHED_EACH


def test_concurrent_requests_with_the_same_record_get_one_verification(committing_database: str) -> None:
    ids = concurrently(lambda _: post(padded(RECORD)).json()["id"])
    assert len(ids) == 16
    assert len(set(ids)) == 1


def test_concurrent_workers_cannot_exceed_the_limit(committing_database: str) -> None:
    for number in range(16):
        assert post(padded(RECORD), f"192.0.2.{number}").status_code == 202
    claimed = concurrently(lambda _: replays._claim())
    assert len([each for each in claimed if each is not None]) == replays.MAX_RUNNING


def test_a_failed_verification_is_replaced_when_the_record_is_sent_again(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = post(padded(RECORD))
    with monkeypatch.context() as patch:
        patch.setattr(replays, "verify_in_process", lambda _: None)
        verify_records()
    assert read(failed)["status"] == "failed"
    again = post(padded(RECORD))
    assert again.status_code == 202
    assert again.json()["id"] != failed.json()["id"]
    verify_records()
    assert read(again)["status"] == "finished"
    assert post(padded(RECORD)).json()["id"] == again.json()["id"]


def test_unfinished_verifications_are_bounded(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replays, "MAX_UNFINISHED", 1)
    assert post(padded(RECORD)).status_code == 202
    refused = post(padded(RECORD), "192.0.2.2")
    assert (refused.status_code, code(refused)) == (503, "unavailable")


def test_a_verification_expires(db: None) -> None:
    accepted = post(padded(RECORD))
    RecordVerification.objects.update(created_at=timezone.now() - replays.RETENTION)
    answer = anonymous_client().get(accepted.headers["Location"])
    assert (answer.status_code, code(answer)) == (404, "not_found")
    again = post(padded(RECORD))
    assert again.json()["id"] != accepted.json()["id"]
    RecordVerification.objects.update(created_at=timezone.now() - replays.RETENTION - timedelta(seconds=1))
    delete_verifications()
    assert not RecordVerification.objects.exists()


def test_client_and_record_are_stored_as_keyed_hashes_only(db: None) -> None:
    post(padded(RECORD), "192.0.2.77")
    row = RecordVerification.objects.get()
    assert len(row.client) == len(row.digest) == 64
    assert "192.0.2" not in f"{row} {row.client}"
    assert row.pk not in str(row)


def test_the_process_has_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    assert verify_in_process(padded(RECORD)) == {"valid": True, "deals": "proven"}
    monkeypatch.setattr(replay_process, "WALL_SECONDS", 0.01)
    assert verify_in_process(padded(RECORD)) is None


def test_the_process_gets_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAGGIS_SECRET_KEY", "a secret")
    seen: list[Any] = []

    def run(*_: Any, **options: Any) -> Any:
        seen.append(options["env"])
        raise OSError

    monkeypatch.setattr("subprocess.run", run)
    assert verify_in_process(b"") is None
    assert "HAGGIS_SECRET_KEY" not in seen[0]


def test_sixteen_hostile_bodies_at_once_cost_little_and_nobody_waits(committing_database: str) -> None:
    """The CPU time of this process includes the test client, so the bound is generous."""
    statuses: list[int] = []

    def send(number: int) -> None:
        body = brackets() if number % 2 else b"[" * LARGE
        statuses.append(post(body, f"192.0.2.{number}").status_code)
        connections.close_all()

    started = time.process_time()
    threads = [threading.Thread(target=send, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = (time.process_time() - started) / len(threads)
    print(f"16 hostile bodies of 4 MB at once: {seconds:.3f} CPU-s each")  # noqa: T201 -- a figure for docs/security.md
    assert sorted(statuses) == [202] * 8 + [400] * 8
    assert seconds < 0.3
    assert verify_body(brackets())["code"] == "unknown_field"
