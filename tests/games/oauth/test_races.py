"""Codes and refresh tokens that are used twice at the same moment."""

from functools import partial

import pytest

from games.identity.app_models import Authorization
from games.identity.models import ApiToken, Player
from games.oauth.models import OAuthRefreshToken
from games.oauth.services import end_authorization
from tests.support.clients import make_person
from tests.support.concurrency import run_concurrently
from tests.support.oauth import App, Browser, make_app

CLIENTS = 6


@pytest.fixture
def app(committing_database: str) -> App:
    return make_app(make_person("maker"))


@pytest.fixture
def heather(committing_database: str) -> Player:
    return make_person("heather")


def test_of_two_refreshes_at_once_one_works_and_the_sign_in_ends(app: App, heather: Player) -> None:
    app.sign_in(heather)
    token = app.tokens["refresh_token"]
    answers = run_concurrently([lambda: App(app.row).refresh(token)] * CLIENTS)
    assert sorted(each.status_code for each in answers) == [200] + [400] * (CLIENTS - 1)
    assert not OAuthRefreshToken.objects.exists()
    assert not ApiToken.objects.filter(authorization__isnull=False).exists()


def test_of_two_exchanges_at_once_one_works_and_the_sign_in_ends(app: App, heather: Player) -> None:
    returned = Browser().log_in(app, heather).allow(app.address())["code"]
    answers = run_concurrently([lambda: App(app.row, app.verifier).exchange(returned)] * CLIENTS)
    assert sorted(each.status_code for each in answers) == [200] + [400] * (CLIENTS - 1)
    assert not ApiToken.objects.filter(authorization__isnull=False).exists()


def test_ending_an_authorization_wins_against_a_refresh(app: App, heather: Player) -> None:
    for _ in range(5):
        app.sign_in(heather)
        end = partial(end_authorization, player=heather, public_id=Authorization.objects.get().public_id)
        run_concurrently([partial(App(app.row).refresh, app.tokens["refresh_token"]), end])
        assert not ApiToken.objects.filter(authorization__isnull=False).exists()
        assert not OAuthRefreshToken.objects.exists()
