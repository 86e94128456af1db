"""The whole sign-in for an app: from the page to playing, refreshing and ending it."""

from urllib.parse import urlsplit

import pytest
from django.test import Client

from games.identity.app_models import Authorization
from games.identity.models import ApiToken, Player
from games.oauth.models import OAuthCode, OAuthRefreshToken
from tests.support.clients import client_of, code
from tests.support.oauth import CALLBACK, App, Browser, make_app, parameters_of


def test_an_app_signs_in_and_plays(app: App, heather: Player) -> None:
    browser = Browser().log_in(app, heather)
    page = browser.get(app.address())
    assert page.status_code == 200
    shown = page.content.decode()
    assert "Card Reader" in shown
    assert "maker" in shown
    assert "Play for you" in shown
    assert "app.example.com" in shown
    answer = browser.submit(app.address(), "allow")
    target = urlsplit(answer["Location"])
    assert f"{target.scheme}://{target.netloc}{target.path}" == CALLBACK
    returned = parameters_of(answer["Location"])
    assert returned.keys() == {"code", "state", "iss"}
    assert (returned["state"], returned["iss"]) == ("a state", "http://testserver")

    tokens = app.exchange(returned["code"])
    assert tokens.status_code == 200
    assert tokens["Cache-Control"] == "no-store"
    body = tokens.json()
    assert body.keys() == {"access_token", "refresh_token", "expires_in", "token_type", "scope"}
    assert (body["expires_in"], body["token_type"]) == (3600, "Bearer")
    assert body["scope"] == "matches:read matches:play"

    table = app.client.post(
        "/api/v1/matches", {"ruleset": "classic", "seats": [{"kind": "me"}, {"kind": "ai", "level": "easy"}]}
    )
    assert table.status_code == 201
    moves = app.client.get(f"/api/v1/matches/{table.json()['id']}")
    assert moves.status_code == 200
    assert app.client.get("/api/v1/me").json()["username"] == "heather"


def test_a_refresh_token_is_replaced_and_ends_the_access_token_before(app: App, heather: Player) -> None:
    before = app.sign_in(heather)
    old = app.tokens
    assert app.refresh().status_code == 200
    assert app.tokens["access_token"] != old["access_token"]
    assert app.tokens["refresh_token"] != old["refresh_token"]
    assert code(before.get("/api/v1/me")) == "not_authenticated"
    assert app.client.get("/api/v1/me").status_code == 200


def test_nothing_usable_is_stored(app: App, heather: Player, browser: Browser) -> None:
    returned = browser.allow(app.address())
    assert not OAuthCode.objects.filter(digest=returned["code"]).exists()
    app.exchange(returned["code"])
    stored = [
        *ApiToken.objects.values_list("digest", "token_key"),
        *OAuthRefreshToken.objects.values_list("family", "digest", "access_digest"),
        *OAuthCode.objects.values_list("digest", "family"),
    ]
    secrets = (returned["code"], app.tokens["access_token"], app.tokens["refresh_token"])
    key = app.tokens["refresh_token"].split("_")[2]
    for row in stored:
        for text in row:
            assert text not in {*secrets, key}
            assert not any(secret[-20:] in text for secret in secrets)


def test_consent_is_remembered_for_the_same_scopes(app: App, heather: Player, browser: Browser) -> None:
    browser.allow(app.address())
    assert browser.get(app.address()).status_code == 302
    assert browser.get(app.address(scope="matches:read")).status_code == 302
    wider = browser.get(app.address(scope="matches:read account:write"))
    assert wider.status_code == 200
    browser.submit(app.address(scope="account:write"), "allow")
    authorization = Authorization.objects.get(player=heather)
    assert authorization.scopes == "matches:read matches:play account:write"
    assert browser.get(app.address(scope="matches:play account:write")).status_code == 302


@pytest.mark.parametrize("address", ("http://127.0.0.1:8731/callback", "com.example.cards:/callback"))
def test_consent_is_asked_again_where_any_program_could_receive_the_code(
    maker: Player, heather: Player, address: str
) -> None:
    app = make_app(maker, "Installed", address)
    browser = Browser().log_in(app, heather)
    browser.allow(app.address())
    assert browser.get(app.address()).status_code == 200
    answer = browser.submit(app.address(), "allow")
    assert answer["Location"].startswith(f"{address}?code=")
    assert app.exchange(parameters_of(answer["Location"])["code"]).status_code == 200


def test_a_player_refuses(app: App, browser: Browser) -> None:
    answer = browser.submit(app.address(), "refuse")
    returned = parameters_of(answer["Location"])
    assert answer["Location"].startswith(f"{CALLBACK}?")
    assert returned["error"] == "access_denied"
    assert (returned["state"], returned["iss"]) == ("a state", "http://testserver")
    assert not Authorization.objects.exists()


def test_revocation_ends_the_sign_in(app: App, heather: Player) -> None:
    for name in ("access_token", "refresh_token"):
        client = app.sign_in(heather)
        answer = app.post("revoke", token=app.tokens[name], client_id=app.client_id)
        assert (answer.status_code, answer.content) == (200, b"")
        assert code(client.get("/api/v1/me")) == "not_authenticated"
        assert app.refresh().json()["error"] == "invalid_grant"
    assert Authorization.objects.filter(player=heather).exists()


def test_an_app_revokes_no_token_of_another(app: App, maker: Player, heather: Player) -> None:
    other = make_app(maker, "Other")
    client = app.sign_in(heather)
    for token in (*(app.tokens[name] for name in ("access_token", "refresh_token")), "no token", "x" * 5000):
        assert other.post("revoke", token=token, client_id=other.client_id).status_code == 200
    assert client.get("/api/v1/me").status_code == 200
    assert app.refresh().status_code == 200


def test_ending_the_authorization_ends_its_tokens_at_once(app: App, heather: Player) -> None:
    client = app.sign_in(heather)
    owner = client_of(heather)
    (listed,) = owner.get("/api/v1/me/authorizations").json()["results"]
    assert listed["app"] == {"id": app.client_id, "name": "Card Reader", "website": "", "owner": "maker"}
    assert listed["scopes"] == ["matches:read", "matches:play"]
    assert owner.delete(f"/api/v1/me/authorizations/{listed['id']}").status_code == 204
    assert code(client.get("/api/v1/me")) == "not_authenticated"
    assert app.refresh().json()["error"] == "invalid_grant"
    assert code(owner.delete(f"/api/v1/me/authorizations/{listed['id']}")) == "not_found"


def test_the_metadata_describes_the_endpoints() -> None:
    answer = Client().get("/.well-known/oauth-authorization-server", headers={"Origin": "https://a.example"})
    assert answer["Access-Control-Allow-Origin"] == "*"
    body = answer.json()
    assert body["issuer"] == "http://testserver"
    assert body["authorization_endpoint"] == "http://testserver/oauth/authorize"
    assert body["code_challenge_methods_supported"] == ["S256"]
    assert body["service_documentation"] == "http://testserver/docs/guide/oauth/"
    assert "bot:play" not in body["scopes_supported"]


def test_pages_of_every_origin_may_ask_for_tokens(app: App) -> None:
    for path in ("token", "revoke"):
        preflight = Client().options(
            f"/oauth/{path}",
            headers={"Origin": "https://a.example", "Access-Control-Request-Method": "POST"},
        )
        assert preflight["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in preflight
    page = Client().get(app.address(), headers={"Origin": "https://a.example"})
    assert "Access-Control-Allow-Origin" not in page
