"""Valid and invalid paths of a match."""

from collections.abc import Callable

import pytest

from tests.support.clients import HttpPlayer
from tests.support.factories import make_player, start_match

UNUSUAL_PATHS: tuple[Callable[[str], str], ...] = (
    lambda match: f"matches/{match}%00",
    lambda match: f"matches/{match}/moves?after=-1",
    lambda match: f"matches/{match}/moves?after=1e9",
    lambda match: f"matches/{match}/moves?after=99999999999999999999",
    lambda match: f"matches/{match}/moves?limit=0",
    lambda match: f"matches/{match}/moves?limit=101",
    lambda match: f"matches/{match}/rounds/99999999999999999999",
    lambda match: f"matches/{match}/legal-moves?kind=flush",
    lambda match: f"matches/{match}/legal-moves?top=%00",
    lambda match: f"matches/{match}/record?cursor=x",
)


@pytest.mark.parametrize("number", range(len(UNUSUAL_PATHS)))
def test_an_unusual_path_is_refused_without_a_server_error(database: str, number: int) -> None:
    people = [make_player(), make_player()]
    match = start_match(*people)
    response = HttpPlayer.log_in(match, people[0]).request("GET", UNUSUAL_PATHS[number](match.pk))
    assert response.status_code in {200, 400, 404, 409}


@pytest.mark.parametrize("number", ("01", "001", "+1", "1.0", "0x1"))
def test_numbers_in_paths_have_one_spelling(database: str, number: str) -> None:
    match = start_match(make_player(), make_player())
    viewer = HttpPlayer.log_in(match)
    assert viewer.get("/rounds/1").status_code == 200
    assert viewer.get(f"/rounds/{number}").status_code == 404


def test_the_table_is_served_with_and_without_a_trailing_slash(database: str) -> None:
    match = start_match(make_player(), make_player())
    viewer = HttpPlayer.log_in(match)
    assert viewer.get("").json().keys() == viewer.get("/").json().keys()
