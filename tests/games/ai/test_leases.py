import threading
import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from games.ai import services as ai_services
from games.ai import worker_threads
from games.ai.services import LEASE, renew_lease
from games.ai.tasks import take_turns
from games.ai.worker_threads import LeaseRenewer
from games.gateway.ai import choose_action
from games.matches.models.match import Match
from tests.games.conftest import Message
from tests.support.factories import start_match

A_MOMENT = timedelta(seconds=1)


def lease_of(match: Match) -> timedelta:
    wake_at = Match.objects.get(pk=match.pk).wake_at
    assert wake_at is not None
    return wake_at - timezone.now()


def is_soon(condition: Callable[[], bool]) -> bool:
    until = time.monotonic() + 20
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


def thought_about() -> Match:
    """A match whose turn is thought about, under a lease that is nearly over."""
    match = start_match("easy", "easy")
    Match.objects.filter(pk=match.pk).update(attempts=1, wake_at=timezone.now() + A_MOMENT)
    return match


def test_a_lease_is_renewed_while_the_turn_is_kept_and_then_no_more(committing_database: str) -> None:
    match, keeper = thought_about(), LeaseRenewer(every=0.05)
    with keeper.kept((match.pk, match.version)):
        assert is_soon(lambda: lease_of(match) > A_MOMENT)
    time.sleep(0.2)  # a look that had begun is over
    Match.objects.filter(pk=match.pk).update(wake_at=timezone.now() + A_MOMENT)
    time.sleep(0.2)
    assert lease_of(match) < A_MOMENT


def test_an_ai_that_hangs_is_not_kept_for_ever(
    committing_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_threads, "MAX_SECONDS_LENGTH", 0.0)
    match, keeper = thought_about(), LeaseRenewer(every=0.05)
    with keeper.kept((match.pk, match.version)):
        time.sleep(0.3)
    assert lease_of(match) < A_MOMENT


def test_only_a_turn_that_somebody_thinks_about_has_a_lease_to_renew(database: str) -> None:
    match = start_match("easy", "easy")
    assert not renew_lease(match_id=match.pk, version=match.version)  # nobody has begun
    Match.objects.filter(pk=match.pk).update(attempts=1)
    assert not renew_lease(match_id=match.pk, version=match.version + 1)
    assert renew_lease(match_id=match.pk, version=match.version)
    assert lease_of(match) > LEASE - A_MOMENT
    Match.objects.filter(pk=match.pk).update(wake_at=None)  # a player's
    assert not renew_lease(match_id=match.pk, version=match.version)


def test_a_worker_keeps_the_turn_that_it_thinks_about(
    committing_database: str, take_messages: Callable[[], list[Message]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(worker_threads._renewers, "here", LeaseRenewer(every=0.05))
    may_answer = threading.Event()

    def choose_slowly(*asked: object) -> object:
        assert may_answer.wait(20)
        return choose_action(*asked)  # type: ignore[arg-type]  # passed on as it came

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
        assert is_soon(lambda: Match.objects.get(pk=match.pk).attempts == 1)
        Match.objects.filter(pk=match.pk).update(wake_at=timezone.now() + A_MOMENT)
        assert is_soon(lambda: lease_of(match) > A_MOMENT)
    finally:
        may_answer.set()
        worker.join(60)
