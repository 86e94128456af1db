"""Each alarm in docs/operate.md is tripped by its fault, and clears when the fault is gone."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from math import inf
from pathlib import Path
from smtplib import SMTPServerDisconnected
from typing import Any, Final

import pytest
from django.core.mail.backends.locmem import EmailBackend
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from games.ai import services as ai_services
from games.ai.models import Analysis
from games.ai.services import MAX_ATTEMPTS
from games.ai.tasks import analyse, take_waiting_turns
from games.clock.models import Heartbeat
from games.gateway.ai import choose_action
from games.matches.models.match import Match, MatchStatus
from games.matches.turn_order import claim_next_turn
from games.notifications.deliveries import dispatch
from games.notifications.mail import send_due_mails
from games.notifications.models import Delivery, Notice
from games.records.models import RecordVerification
from games.records.replays import request_verification
from games.records.tasks import verify_records
from games.statistics.models import PlayerStatistics
from games.statistics.verification import verify_statistics
from games.sweep.tasks import sweep
from tests.games.notifications.conftest import make_endpoint
from tests.support.factories import (
    make_notified_player,
    make_player,
    start_match,
    start_match_with_due_ai_turn,
)
from tests.support.receiver import run_receiver

ROOT: Final = Path(__file__).parents[3]
TOKEN: Final = "a metrics token of sufficient length"
ROW: Final = re.compile(r"^\| (?P<alarm>[^|]+) \| (?P<condition>[^|]+) \| [^|]+ \|$", re.MULTILINE)

Series = dict[tuple[str, tuple[tuple[str, str], ...]], float]


def alarm_table() -> dict[str, str]:
    """Return the condition of each alarm of the handbook."""
    section = (ROOT / "docs/operate.md").read_text("utf-8").partition("### Alarms")[2].partition("###")[0]
    rows = {row["alarm"]: row["condition"] for row in ROW.finditer(section)}
    return {alarm: condition for alarm, condition in rows.items() if alarm not in {"alarm", "---"}}


@dataclass
class Monitor:
    """Evaluates conditions as Prometheus does, from the scrapes since the beginning of the time window."""

    caplog: pytest.LogCaptureFixture
    scrapes: list[Series] = field(default_factory=list)

    def begin_window(self) -> None:
        """Forget what was before."""
        self.caplog.clear()
        self.scrapes = [self.scrape()]

    def scrape(self) -> Series:
        text = Client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).content.decode()
        return {
            (sample.name, tuple(sorted(sample.labels.items()))): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }

    def is_firing(self, condition: str) -> bool:
        """Return whether the condition of a row holds now."""
        if found := re.fullmatch(r'"(.+)" in the log', condition):
            return found[1] in self.caplog.text
        if found := re.match(r"`manage.py (\w+)` exits with 1", condition):
            return command_fails(found[1])
        self.scrapes.append(self.scrape())
        expression, operator, limit = condition.strip("`").rsplit(" ", 2)
        values = self._evaluate(expression)
        return any(value > float(limit) if operator == ">" else value == float(limit) for value in values)

    def _evaluate(self, expression: str) -> list[float]:
        if found := re.fullmatch(
            r"histogram_quantile\(([\d.]+), rate\((\w+)\{(\w+)=\"(\w+)\"\}\[5m\]\)\)", expression
        ):
            return self._quantiles(float(found[1]), found[2], (found[3], found[4]))
        if found := re.fullmatch(r"rate\((\w+)\[5m\]\)", expression):
            return list(self._increases(found[1]).values())
        assert re.fullmatch(r"\w+", expression), f"cannot evaluate {expression}"
        return [value for (name, _), value in self.scrapes[-1].items() if name == expression]

    def _increases(self, name: str) -> dict[tuple[tuple[str, str], ...], float]:
        """Return the increase of each series that the first scrape contains: others have no rate yet."""
        first, last = self.scrapes[0], self.scrapes[-1]
        return {key[1]: last[key] - value for key, value in first.items() if key[0] == name and key in last}

    def _quantiles(self, share: float, name: str, label: tuple[str, str]) -> list[float]:
        buckets: dict[tuple[tuple[str, str], ...], list[tuple[float, float]]] = {}
        for labels, increase in self._increases(name).items():
            if label in labels:
                limit = float(dict(labels)["le"])
                others = tuple(each for each in labels if each[0] != "le")
                buckets.setdefault(others, []).append((limit, increase))
        return [quantile(share, sorted(each)) for each in buckets.values() if max(each)[1] > 0]


def quantile(share: float, buckets: list[tuple[float, float]]) -> float:
    """Interpolate within the bucket that contains the quantile, as Prometheus does."""
    rank, below, count_below = share * buckets[-1][1], 0.0, 0.0
    for limit, count in buckets:
        if count >= rank:
            return (
                below
                if limit == inf
                else below + (limit - below) * (rank - count_below) / (count - count_below)
            )
        below, count_below = limit, count
    raise AssertionError("the last bucket contains everything")


def command_fails(name: str) -> bool:
    try:
        call_command(name)
    except CommandError as error:
        return error.returncode == 1
    return False


def ago(seconds: float) -> Any:
    return timezone.now() - timedelta(seconds=seconds)


Fault = Callable[[pytest.MonkeyPatch], Iterator[None]]
FAULTS: dict[str, Fault] = {}


def causes(alarm: str) -> Callable[[Fault], Fault]:
    """Register the fault of an alarm: a generator that causes it, yields, and repairs it."""

    def register(fault: Fault) -> Fault:
        FAULTS[alarm] = fault
        return fault

    return register


@causes("clock stopped")
def clock_stops(_: pytest.MonkeyPatch) -> Iterator[None]:
    sweep()
    Heartbeat.objects.update(beat_at=ago(40))
    yield
    sweep()


@causes("turns overdue")
def no_sweep_handles_a_deadline(_: pytest.MonkeyPatch) -> Iterator[None]:
    sweep()
    match = start_match(make_player(), make_player(), turn_seconds=60)
    Match.objects.filter(pk=match.pk).update(deadline=ago(40))
    yield
    sweep()


@causes("AIs do not move")
def workers_claim_turns_and_die(_: pytest.MonkeyPatch) -> Iterator[None]:
    """Claim the turn again and again, and let sweeps send it, which must not hide how long it waits."""
    match = start_match_with_due_ai_turn()
    Match.objects.filter(pk=match.pk).update(turn_due_at=ago(70))
    for _attempt in range(2):
        assert claim_next_turn() is not None
        Match.objects.filter(pk=match.pk).update(wake_at=ago(0))
        sweep()
    assert claim_next_turn() is not None
    yield
    Match.objects.filter(pk=match.pk).update(wake_at=ago(0), attempts=0)
    take_waiting_turns()


@causes("matches between AIs do not move")
def workers_are_busy_with_other_turns(_: pytest.MonkeyPatch) -> Iterator[None]:
    match = start_match("easy", "easy", rounds=1)
    Match.objects.filter(pk=match.pk).update(turn_due_at=ago(910))
    yield
    while Match.objects.get(pk=match.pk).status == MatchStatus.ACTIVE:
        take_waiting_turns()


@causes("AIs fail")
def ai_raises_errors(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def fail(*_: object) -> None:
        raise ValueError

    match = start_match("easy", "easy")
    monkeypatch.setattr(ai_services, "choose_action", fail)
    for _attempt in range(MAX_ATTEMPTS):
        Match.objects.filter(pk=match.pk).update(wake_at=ago(0))
        take_waiting_turns()
    yield
    monkeypatch.setattr(ai_services, "choose_action", choose_action)
    take_waiting_turns()


@causes("analyses delayed")
def no_worker_analyses(_: pytest.MonkeyPatch) -> Iterator[None]:
    player = make_player()
    match = start_match(player, make_player())
    Analysis.objects.create(match=match, player=player, total=1, wake_at=ago(310), begun_at=ago(310))
    yield
    analyse()


@causes("verifications delayed")
def no_worker_verifies_records(_: pytest.MonkeyPatch) -> Iterator[None]:
    request_verification(body=b"{}", client="192.0.2.1")
    RecordVerification.objects.update(created_at=ago(310))
    yield
    verify_records()


@causes("database down")
def database_rejects_statements(_: pytest.MonkeyPatch) -> Iterator[None]:
    def fail(*_: object) -> None:
        raise OperationalError("server closed the connection unexpectedly")

    with connection.execute_wrapper(fail):
        yield


def answer(request: HttpRequest) -> HttpResponse:
    if "fail" in request.GET:
        raise RuntimeError
    time.sleep(float(request.GET.get("seconds", "0")))
    return HttpResponse()


urlpatterns = [path("api/v1/answer", answer)]


@causes("server errors")
def view_raises_errors(_: pytest.MonkeyPatch) -> Iterator[None]:
    client = Client(raise_request_exception=False)
    assert client.get("/api/v1/answer?fail=1").status_code == 500
    yield
    assert client.get("/api/v1/answer").status_code == 200
    assert client.get("/readyz").status_code == 503  # which is not an error


@causes("slow responses")
def view_is_slow(_: pytest.MonkeyPatch) -> Iterator[None]:
    for _request in range(3):
        Client().post("/api/v1/answer?seconds=1.1")
    yield
    for _request in range(200):
        Client().post("/api/v1/answer")


@causes("webhooks delayed")
def no_dispatcher_runs(_: pytest.MonkeyPatch) -> Iterator[None]:
    with run_receiver() as receiver:
        player = make_player()
        make_endpoint(player, receiver.url)
        start_match(player, make_player())
        Delivery.objects.update(due_at=ago(310))
        yield
        dispatch(seconds=20)
        assert receiver.received


@causes("emails delayed")
def no_mail_is_sent(_: pytest.MonkeyPatch) -> Iterator[None]:
    start_match(make_notified_player("your_turn"), make_notified_player("your_turn"))
    Notice.objects.update(due_at=ago(610))
    yield
    assert send_due_mails() == 1


@causes("emails fail")
def mail_server_is_down(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def fail(*_: object) -> int:
        raise SMTPServerDisconnected

    for _match in range(11):
        start_match(make_notified_player("your_turn"), make_notified_player("your_turn"))
    with monkeypatch.context() as patch:
        patch.setattr(EmailBackend, "send_messages", fail)
        Notice.objects.update(due_at=ago(1))
        send_due_mails()
    yield
    Notice.objects.update(due_at=ago(1))
    assert send_due_mails() == 11


@causes("corrupted match")
def stored_match_is_changed(_: pytest.MonkeyPatch) -> Iterator[None]:
    match = start_match(make_player(), make_player())
    Match.objects.filter(pk=match.pk).update(version=7)
    yield
    Match.objects.filter(pk=match.pk).update(version=match.version)


@causes("wrong statistics")
def stored_statistics_are_changed(_: pytest.MonkeyPatch) -> Iterator[None]:
    player = make_player()
    start_match(player, make_player())
    PlayerStatistics.objects.create(
        player=player, opponent=player, public_only=False, players=0, matches=3, bombs=[0] * 6
    )
    yield
    verify_statistics(rebuild=True)


def test_each_alarm_of_the_handbook_has_a_fault() -> None:
    assert alarm_table().keys() == FAULTS.keys()


@pytest.mark.parametrize("alarm", alarm_table())
def test_alarm_is_tripped_by_its_fault_and_clears_afterwards(
    committing_database: str,
    alarm: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    settings: Any,
) -> None:
    settings.ROOT_URLCONF = __name__
    settings.HAGGIS_METRICS_TOKEN = TOKEN
    settings.HAGGIS_WEBHOOKS_LOCAL = True
    monkeypatch.setattr("games.ai.tasks.run_later", None)
    condition, monitor = alarm_table()[alarm], Monitor(caplog)
    Client().post("/api/v1/answer")  # creates the series of the route
    monitor.begin_window()
    if alarm != "clock stopped":
        assert not monitor.is_firing(condition)
    with contextmanager(FAULTS[alarm])(monkeypatch):
        assert monitor.is_firing(condition)
        monitor.begin_window()  # without the fault itself, but with what happens while it is repaired
    assert not monitor.is_firing(condition)


def test_clock_that_has_never_run_trips_its_alarm(
    database: str, caplog: pytest.LogCaptureFixture, settings: Any
) -> None:
    settings.HAGGIS_METRICS_TOKEN = TOKEN
    assert not Heartbeat.objects.exists()
    monitor, condition = Monitor(caplog), alarm_table()["clock stopped"]
    assert monitor.is_firing(condition)
    sweep()
    assert not monitor.is_firing(condition)
