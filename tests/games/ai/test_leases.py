import threading
import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from games.ai import services as ai_services
from games.ai import worker_threads
from games.ai.services import renew_lease
from games.ai.tasks import take_turns
from games.ai.worker_threads import LeaseRenewer
from games.gateway.ai import choose_action
from games.matches.models.match import Match
from games.matches.turn_order import LEASE
from tests.games.conftest import Message
from tests.support.factories import start_match

A_MOMENT = timedelta(seconds=1)


def lease_of(match: Match) -> timedelta:
    wake_at = Match.objects.get(pk=match.pk).wake_at
    assert wake_at is not None
    return wake_at - timezone.now()


def wait_until(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 20
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def leased_match() -> Match:
    """Return a match whose AI turn has a lease that is about to expire."""
    match = start_match("easy", "easy")
    Match.objects.filter(pk=match.pk).update(attempts=1, wake_at=timezone.now() + A_MOMENT)
    return match


def test_lease_is_renewed_only_while_the_context_is_active(committing_database: str) -> None:
    match, renewer = leased_match(), LeaseRenewer(interval=0.05)
    with renewer.renewing((match.pk, match.version)):
        assert wait_until(lambda: lease_of(match) > A_MOMENT)
    time.sleep(0.2)  # until a renewal that had already started is over
    Match.objects.filter(pk=match.pk).update(wake_at=timezone.now() + A_MOMENT)
    time.sleep(0.2)
    assert lease_of(match) < A_MOMENT


def test_lease_of_a_hanging_ai_is_renewed_for_a_limited_time(
    committing_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_threads, "MAX_RENEWAL_SECONDS", 0.0)
    match, renewer = leased_match(), LeaseRenewer(interval=0.05)
    with renewer.renewing((match.pk, match.version)):
        time.sleep(0.3)
    assert lease_of(match) < A_MOMENT


def test_renew_lease_extends_only_the_lease_of_a_started_turn_at_this_version(database: str) -> None:
    match = start_match("easy", "easy")
    assert not renew_lease(match_id=match.pk, version=match.version)  # no worker has started it
    Match.objects.filter(pk=match.pk).update(attempts=1)
    assert not renew_lease(match_id=match.pk, version=match.version + 1)
    assert renew_lease(match_id=match.pk, version=match.version)
    assert lease_of(match) > LEASE - A_MOMENT
    Match.objects.filter(pk=match.pk).update(wake_at=None)  # the turn of a player
    assert not renew_lease(match_id=match.pk, version=match.version)


def test_worker_renews_the_lease_of_the_turn_it_is_working_on(
    committing_database: str, take_messages: Callable[[], list[Message]], monkeypatch: pytest.MonkeyPatch
) -> None:
    renewer = LeaseRenewer(interval=0.05)
    monkeypatch.setattr(worker_threads, "_renewer", lambda: renewer)
    may_answer = threading.Event()

    def choose_slowly(*arguments: object) -> object:
        assert may_answer.wait(20)
        return choose_action(*arguments)  # type: ignore[arg-type]  # passed on unchanged

    monkeypatch.setattr(ai_services, "choose_action", choose_slowly)
    match = start_match("easy", "easy", rounds=1)
    [message] = take_messages()

    def work() -> None:
        try:
            take_turns(*message.arguments)
        finally:
            connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    try:
        assert wait_until(lambda: Match.objects.get(pk=match.pk).attempts == 1)
        Match.objects.filter(pk=match.pk).update(wake_at=timezone.now() + A_MOMENT)
        assert wait_until(lambda: lease_of(match) > A_MOMENT)
    finally:
        may_answer.set()
        worker.join(60)
