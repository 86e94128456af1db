"""Repeated and unknown query parameters."""

import pytest

from games.api.schema.document import routes, view_of
from tests.support.clients import anonymous_client, code

ROOT = "/api/v1"
# The routes that went on ignoring unknown parameters when the others began to reject them.
LENIENT = frozenset(
    """
    accept analysis bot bot-token bots cancel check claim clocks decline device device-test devices
    email-confirm email-undo guest hint join leave legal-moves log-in match match-events matches me
    moves my-events my-invitations older-schema password password-confirm password-reset
    pause player players-matches push-key readings reauthenticate reclaim record register rematch
    resign resume round rounds ruleset rulesets schema seat second-factor session sessions
    standing-order start ticket token tokens vacation verification verify webhook webhook-deliveries
    webhook-redeliver webhook-secret webhook-test webhooks
    """.split()
)


@pytest.mark.parametrize(
    ("path", "name"), (("rulesets?limit=5&limit=5", "limit"), ("matches?status=open&status=open", "status"))
)
def test_a_repeated_parameter_is_rejected(database: str, path: str, name: str) -> None:
    answer = anonymous_client().get(f"{ROOT}/{path}")
    assert code(answer) == "invalid_parameter"
    assert answer.json()["parameter"] == name


def test_routes_of_the_first_version_ignore_unknown_parameters(database: str) -> None:
    assert anonymous_client().get(f"{ROOT}/rulesets?from=here&from=there").status_code == 200


def test_every_newer_route_is_strict() -> None:
    lenient = {route.name for route in routes() if not view_of(route).strict_parameters}
    assert lenient == LENIENT


def test_strict_routes_reject_unknown_parameters(database: str) -> None:
    answer = anonymous_client().get(f"{ROOT}/limits?verbose=true")
    assert (answer.status_code, code(answer)) == (400, "invalid_parameter")
    assert answer.json()["parameter"] == "verbose"
