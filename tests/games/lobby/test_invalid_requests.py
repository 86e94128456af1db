"""Requests with valid types but unusual values."""

from typing import Any, Final

import pytest

from tests.support.clients import ROOT, client_of
from tests.support.factories import make_player

SURPRISING: Final[tuple[dict[str, Any], ...]] = (
    {"ruleset": "\x07"},
    {"ruleset": ""},
    {"ruleset": "classic", "options": {"a/b~c": "x"}},
    {"ruleset": "classic", "options": {"": ""}},
    {"ruleset": "classic", "seats": [{"kind": "me"}, {"kind": "player", "username": ""}]},
    {"ruleset": "classic", "seats": [{"kind": "me"}, {"kind": "player", "username": "\U0001f0a1 İ"}]},
    {"ruleset": "classic", "seats": [{"kind": "me"}, {"kind": "ai", "level": ""}]},
    {"ruleset": "classic", "seats": [{"kind": "me"}, {"kind": "ai", "level": "__class__"}]},
)


@pytest.mark.parametrize("body", SURPRISING, ids=str)
def test_unusual_values_are_refused(database: str, body: dict[str, Any]) -> None:
    response = client_of(make_player()).post(f"{ROOT}/matches", body)
    assert response.status_code == 422, response.content


def test_unknown_parameters_are_ignored(database: str) -> None:
    assert client_of(make_player()).get(f"{ROOT}/matches?colour=red").status_code == 200
