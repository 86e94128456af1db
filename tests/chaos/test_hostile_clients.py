"""Large bodies, slow senders, aborted uploads and floods do not disturb another client."""

import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Final

import pytest

from tests.chaos.attackers import (
    LARGE,
    LOG_IN,
    VERIFY,
    Attack,
    Visitor,
    aborted_uploads,
    brackets,
    chunked_bodies,
    flood,
    large_bodies,
    slow_senders,
)
from tests.chaos.conftest import StartStack
from tests.chaos.load import Request
from tests.support.processes import Web
from tests.support.requirements import needs_stack

SECONDS: Final = int(os.environ.get("HAGGIS_ATTACK_SECONDS", "4"))
MAX_P99_SECONDS: Final = 1.0
# `make run` has no limits, so it answers a flood.
ANSWERS: Final = {"200", "202", "400", "401", "408", "413", "429", "aborted", "closed", "still sending"}

pytestmark = [pytest.mark.timeout(300 + 12 * SECONDS)]

ATTACKS: Final[dict[str, Callable[[int], Attack]]] = {
    "bodies refused by size": lambda port: large_bodies(port, LOG_IN, b" " * LARGE),
    "chunked bodies": lambda port: chunked_bodies(port, LOG_IN),
    "bodies of invalid tokens": lambda port: large_bodies(
        port, VERIFY, b" " * LARGE, "Authorization: Bearer haggis_none"
    ),
    "records of brackets": lambda port: large_bodies(port, VERIFY, brackets(LARGE)),
    "aborted uploads": lambda port: aborted_uploads(port, VERIFY),
    "slow senders": lambda port: slow_senders(port, LOG_IN, 60_000),
    "slow senders of records": lambda port: slow_senders(port, VERIFY, LARGE),
    "flood": lambda port: flood(port, "/api/v1/rulesets"),
}


def _new_token(port: int) -> str:
    _, guest = Request("POST", "auth/guest").send(port)
    return str(guest["token"])


def _attack(visitor: Visitor, attacks: list[Attack], where: str) -> Visitor:
    """Attack for some seconds while a visitor reads and writes; print what both received."""
    with visitor.visiting(), ExitStack() as stack:
        for each in attacks:
            stack.enter_context(each)
        time.sleep(SECONDS)
    answers = {each.name: dict(each.answers) for each in attacks}
    print(  # noqa: T201 -- output of `make chaos`
        f"{where}: the visitor got {dict(visitor.answers)}, p99 {visitor.percentile(0.99):.3f} s,"
        f" worst {max(visitor.seconds):.3f} s; attackers got {answers}"
    )
    return visitor


def _check(visitor: Visitor, attacks: list[Attack]) -> None:
    assert visitor.failures == 0
    assert visitor.percentile(0.99) < MAX_P99_SECONDS
    for each in attacks:
        assert each.answers.keys() <= ANSWERS, each.name


@pytest.fixture
def limits() -> dict[str, str]:
    """Return the default limits of an address, which the other chaos tests lift."""
    return {"HAGGIS_LIMIT_ADDRESS": "300/60", "HAGGIS_LIMIT_REFUSED": "60/60"}


@needs_stack
def test_hostile_clients_do_not_disturb_another_client(
    start_stack: StartStack, limits: dict[str, str]
) -> None:
    stack = start_stack({"web": 2}, **limits)
    failed, token = [], _new_token(stack.port)
    for name, build in ATTACKS.items():
        attacks = [build(stack.port)]
        visitor = _attack(Visitor(stack.port, token), attacks, name)
        try:
            _check(visitor, attacks)
        except AssertionError as error:
            failed.append((name, error))
    together = [build(stack.port) for build in ATTACKS.values()]
    visitor = _attack(Visitor(stack.port, token), together, "all at once")
    assert failed == []
    _check(visitor, together)


@pytest.mark.parametrize("name", ATTACKS)
def test_hostile_clients_do_not_disturb_another_client_without_a_proxy(on_sqlite: Web, name: str) -> None:
    attacks = [ATTACKS[name](on_sqlite.port)]
    visitor = Visitor(on_sqlite.port, _new_token(on_sqlite.port))
    _attack(visitor, attacks, f"make run, {name}")
    _check(visitor, attacks)
