"""Profile changes that are well-formed JSON but invalid."""

import pytest

from games.identity.models import Player
from tests.support.clients import client_of, code, make_person


@pytest.mark.parametrize(
    "body",
    (
        {"display_name": "\x1b[31m"},
        {"display_name": "a\nb"},
        {"display_name": "\u202eb"},
        {"display_name": "x" * 51},
        {"time_zone": "Nowhere/Else"},
        {"time_zone": "../../etc/passwd"},
        {"email": "nobody"},
        {"email": ""},
        {"email": f"{'a' * 300}@example.org"},
        {"notifications": {"email": ["rain"]}},
        {"notifications": {"smoke": []}},
        {"notifications": {"email": ["your_turn"] * 50}},
        {"username": "other"},
        {"kind": "bot"},
        {"is_staff": True},
    ),
)
def test_an_invalid_profile_change_is_rejected(database: str, body: dict[str, object]) -> None:
    player = make_person("heather")
    response = client_of(player).patch("/api/v1/me", body)
    assert (response.status_code, code(response)) == (422, "validation_error")
    assert Player.objects.get(pk=player.pk).time_zone == "UTC"
