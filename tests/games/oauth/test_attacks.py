"""What attackers try: other addresses and apps, wrong PKCE, replays, wider scopes, forged forms."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from games.identity.app_models import Authorization
from games.identity.models import ApiToken, Closing, Player
from games.identity.services import close_account, suspend_account
from games.oauth.apps import is_redirect_uri
from games.oauth.models import OAuthCode, OAuthRefreshToken
from games.oauth.services import delete_expired
from tests.support.clients import PASSWORD, client_of, code, make_guest, make_person, program_of
from tests.support.oauth import CALLBACK, App, Browser, challenge_of, make_app, parameters_of


def header_of(client: Any) -> str:
    return str(client._credentials["HTTP_AUTHORIZATION"])


def error(answer: Any) -> str:
    assert answer.status_code == 400, answer.content
    assert answer["Cache-Control"] == "no-store"
    return str(answer.json()["error"])


# --- Where browsers are sent


@pytest.mark.parametrize(
    "address",
    (
        "https://evil.example/callback",
        f"{CALLBACK}/",
        f"{CALLBACK}?more=1",
        f"{CALLBACK}#fragment",
        CALLBACK.upper(),
        CALLBACK.replace("https", "http"),
        "https://app.example.com@evil.example/callback",
        "https://app.example.com.evil.example/callback",
        "https://app.example.com:8443/callback",
        "https://app.example.com/callback/../other",
        "//evil.example",
        "javascript:alert(1)",
        "",
    ),
)
def test_another_address_is_refused_without_a_redirect(app: App, browser: Browser, address: str) -> None:
    for client in (browser, Browser()):
        page = client.get(
            app.address(redirect_uri=address or None, client_id="app_x" if not address else app.client_id)
        )
        assert page.status_code == 400
        assert "Location" not in page
        assert "cannot be authorized" in page.content.decode()


def test_nobody_is_redirected_before_logging_in(app: App) -> None:
    for changes in ({}, {"response_type": "token"}, {"code_challenge": None}, {"scope": "everything"}):
        page = Browser().get(app.address(**changes))
        assert page.status_code == 200
        assert 'name="password"' in page.content.decode()


@pytest.mark.parametrize(
    ("changes", "expected"),
    (
        ({"response_type": "token"}, {"unsupported_response_type", "unauthorized_client"}),
        ({"response_type": "code token"}, {"unsupported_response_type", "unauthorized_client"}),
        ({"response_type": None}, {"invalid_request"}),
        ({"code_challenge": None}, {"invalid_request"}),
        ({"code_challenge_method": None}, {"invalid_request"}),
        ({"code_challenge_method": "plain"}, {"invalid_request"}),
        ({"code_challenge": "too-short"}, {"invalid_request"}),
        ({"scope": "matches:read bot:play"}, {"invalid_scope"}),
        ({"scope": "everything"}, {"invalid_scope"}),
    ),
)
def test_a_wrong_request_returns_to_the_app_with_an_error(
    app: App, browser: Browser, changes: dict[str, str | None], expected: set[str]
) -> None:
    answer = browser.get(app.address(**changes))
    assert answer.status_code == 302
    assert answer["Location"].startswith(f"{CALLBACK}?")
    returned = parameters_of(answer["Location"])
    assert returned["error"] in expected
    assert (returned["state"], returned["iss"]) == ("a state", "http://testserver")
    assert "code" not in returned


def test_repeated_parameters_are_refused(app: App, browser: Browser) -> None:
    assert browser.get(f"{app.address()}&redirect_uri=https://evil.example/").status_code == 400
    assert browser.get(f"{app.address()}&client_id=app_other").status_code == 400


def test_redirect_addresses_are_checked_when_an_app_is_registered(maker: Player) -> None:
    refused = (
        "http://app.example.com/",
        "javascript:alert(1)",
        "data:text/html,x",
        "https://a.example/#x",
        "https://user@a.example/",
        "https://*.example/",
        "https:///callback",
        "file:///etc/passwd",
        "HTTPS://A.example/",
        "https://a.example\\@evil.example/",
        "https://a.example/ b",
        "custom:/callback",
        "//a.example/",
        "callback",
        "https://a.exämple/",
        "https://a.example/\n",
        "http://[::1]/",
        "http://localhost.evil.example/",
    )
    assert [each for each in refused if is_redirect_uri(each)] == []
    client = client_of(maker)
    body = {"name": "Reader", "redirect_uris": ["https://a.example/", "http://a.example/"]}
    answer = client.post("/api/v1/me/apps", body)
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "/redirect_uris/1"
    for name in ("Haggis", "see https://evil.example", "a\u202eb", "Admin"):
        answer = client.post("/api/v1/me/apps", {"name": name, "redirect_uris": ["https://a.example/"]})
        assert answer.status_code == 422, name


# --- Codes


def test_a_code_is_useless_without_what_asked_for_it(app: App, maker: Player, browser: Browser) -> None:
    other = make_app(maker, "Other")
    returned = browser.allow(app.address())["code"]
    assert error(app.exchange(returned, code_verifier=None)) == "invalid_request"
    assert error(app.exchange(returned, code_verifier="x" * 50)) == "invalid_grant"
    assert error(app.exchange(returned, code_verifier=challenge_of(app.verifier))) == "invalid_grant"
    assert error(app.exchange(returned, redirect_uri="https://evil.example/")) in {
        "invalid_grant",
        "invalid_request",
    }
    assert error(other.exchange(returned, code_verifier=app.verifier)) == "invalid_grant"
    unknown = app.exchange(returned, client_id="app_unknown")
    assert (unknown.status_code, unknown.json()["error"]) == (401, "invalid_client")
    with_secret = app.exchange(returned, client_secret="a secret")
    assert (with_secret.status_code, with_secret.json()["error"]) == (401, "invalid_client")
    assert app.exchange(returned, redirect_uri=None).status_code == 200


def test_a_used_code_ends_what_was_issued_for_it(app: App, browser: Browser) -> None:
    returned = browser.allow(app.address())["code"]
    app.exchange(returned)
    client = app.client
    assert client.get("/api/v1/me").status_code == 200
    assert error(app.exchange(returned)) == "invalid_grant"
    assert code(client.get("/api/v1/me")) == "not_authenticated"
    assert error(app.refresh()) == "invalid_grant"


def test_a_code_expires_after_a_minute(app: App, browser: Browser) -> None:
    returned = browser.allow(app.address())["code"]
    OAuthCode.objects.update(expires_at=timezone.now())
    assert error(app.exchange(returned)) == "invalid_grant"


def test_a_code_of_another_player_cannot_be_injected(app: App, browser: Browser) -> None:
    """The verifier of the app's own request does not fit a code that an attacker got for another one."""
    attacker = make_person("attacker")
    theirs = App(app.row)
    stolen = Browser().log_in(theirs, attacker).allow(theirs.address())["code"]
    assert error(app.exchange(stolen)) == "invalid_grant"


# --- Refresh tokens


def test_a_used_refresh_token_ends_the_sign_in(app: App, heather: Player) -> None:
    app.sign_in(heather)
    stolen = app.tokens["refresh_token"]
    app.refresh()
    client = app.client
    assert error(app.refresh(stolen)) == "invalid_grant"
    assert code(client.get("/api/v1/me")) == "not_authenticated"
    assert error(app.refresh()) == "invalid_grant"
    assert not OAuthRefreshToken.objects.exists()


def test_reuse_ends_no_other_sign_in_of_the_player(app: App, heather: Player) -> None:
    app.sign_in(heather)
    stolen = app.tokens["refresh_token"]
    app.refresh()
    second = App(app.row)
    client = second.sign_in(heather)
    assert error(app.refresh(stolen)) == "invalid_grant"
    assert client.get("/api/v1/me").status_code == 200


def test_a_refresh_token_belongs_to_its_app(app: App, maker: Player, heather: Player) -> None:
    other = make_app(maker, "Other")
    app.sign_in(heather)
    assert error(other.refresh(app.tokens["refresh_token"])) == "invalid_grant"
    for token in ("", "haggis_refresh_x", app.tokens["access_token"], "x" * 100_000):
        assert error(other.refresh(token or "none")) == "invalid_grant"
    assert app.refresh().status_code == 200


def test_scopes_cannot_grow(app: App, heather: Player) -> None:
    app.sign_in(heather, scope="matches:read")
    assert error(app.refresh(scope="matches:read matches:play")) == "invalid_scope"
    assert error(app.refresh(scope="bot:play")) == "invalid_scope"
    assert app.refresh(scope="matches:read").status_code == 200
    assert code(app.client.post("/api/v1/matches", {"ruleset": "classic"})) == "insufficient_scope"
    assert app.client.get("/api/v1/me").json()["email"] is None


def test_a_narrower_refresh_can_be_widened_again(app: App, heather: Player) -> None:
    app.sign_in(heather)
    assert app.refresh(scope="matches:read").json()["scope"] == "matches:read"
    assert code(app.client.post("/api/v1/matches", {"ruleset": "classic"})) == "insufficient_scope"
    assert app.refresh().json()["scope"] == "matches:read matches:play"


# --- Accounts


@pytest.mark.parametrize("how", ("ban", "deletion", "suspension", "password"))
def test_authorizations_end_with(app: App, heather: Player, how: str) -> None:
    app.sign_in(heather)
    match how:
        case "ban" | "deletion":
            close_account(player=heather, closing=Closing(how))
        case "suspension":
            suspend_account(player=heather, until=timezone.now() + timedelta(days=1))
            suspend_account(player=heather, until=None)
        case _:
            body = {"current_password": PASSWORD, "password": f"new {PASSWORD}"}
            assert client_of(heather).post("/api/v1/me/password", body).status_code == 204
    assert not Authorization.objects.exists()
    assert code(app.client.get("/api/v1/me")) == "not_authenticated"
    assert error(app.refresh()) == "invalid_grant"


def test_an_app_of_a_banned_player_gets_nothing(app: App, maker: Player, heather: Player) -> None:
    app.sign_in(heather)
    close_account(player=maker, closing=Closing.BAN)
    assert code(app.client.get("/api/v1/me")) == "not_authenticated"
    assert app.refresh().json()["error"] == "invalid_client"
    assert Browser().get(app.address()).status_code == 400


def test_a_deleted_app_ends_for_everybody(app: App, maker: Player, heather: Player) -> None:
    app.sign_in(heather)
    assert client_of(maker).delete(f"/api/v1/me/apps/{app.client_id}").status_code == 204
    assert code(app.client.get("/api/v1/me")) == "not_authenticated"
    assert app.refresh().json()["error"] == "invalid_client"


def test_the_player_gets_one_mail(app: App, heather: Player, django_capture_on_commit_callbacks: Any) -> None:
    mail.outbox.clear()
    with django_capture_on_commit_callbacks(execute=True):
        app.sign_in(heather)
    (sent,) = [each for each in mail.outbox if each.subject == "An app may use your account"]
    assert sent.to == ["heather@example.org"]
    assert "Card Reader" in sent.body
    assert "/account#apps" in sent.body
    with django_capture_on_commit_callbacks(execute=True):
        app.sign_in(heather)
    assert len([each for each in mail.outbox if each.subject == "An app may use your account"]) == 1


def test_a_webhook_of_an_app_ends_with_its_authorization(app: App, heather: Player) -> None:
    client = app.sign_in(heather, scope="webhooks:write")
    assert client.post("/api/v1/me/webhooks", {"url": "https://app.example.com/hook"}).status_code == 201
    owner = client_of(heather)
    owner.post("/api/v1/me/webhooks", {"url": "https://own.example.com/hook"})
    (listed,) = owner.get("/api/v1/me/authorizations").json()["results"]
    owner.delete(f"/api/v1/me/authorizations/{listed['id']}")
    webhooks = owner.get("/api/v1/me/webhooks").json()["results"]
    assert [each["url"] for each in webhooks] == ["https://own.example.com/hook"]


def test_tokens_of_apps_are_not_among_those_of_the_player(app: App, heather: Player) -> None:
    app.sign_in(heather)
    token = ApiToken.objects.get(authorization__isnull=False)
    owner = client_of(heather)
    assert token.public_id not in owner.get("/api/v1/me/tokens").content.decode()
    assert code(owner.delete(f"/api/v1/me/tokens/{token.public_id}")) == "not_found"


# --- The page


def test_forms_need_the_token_of_the_page(app: App, heather: Player, browser: Browser) -> None:
    forged: tuple[dict[str, str], ...] = (
        {"action": "allow", "player": "heather"},
        {"action": "log_in", "username": "heather", "password": PASSWORD},
    )
    for body in forged:
        assert browser.post(app.address(), body).status_code == 403
    assert not OAuthCode.objects.exists()


def test_the_page_cannot_be_framed_or_stored(app: App, browser: Browser) -> None:
    for client in (browser, Browser()):
        page = client.get(app.address())
        assert page["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in page["Content-Security-Policy"]
        assert "form-action 'self' https://app.example.com" in page["Content-Security-Policy"]
        assert "no-store" in page["Cache-Control"]
        assert page["Cross-Origin-Opener-Policy"] == "same-origin"


def test_consent_is_for_the_player_that_the_page_names(app: App, browser: Browser) -> None:
    answer = browser.submit(app.address(), "allow", player="somebody-else")
    assert (answer.status_code, answer["Location"]) == (303, app.address())
    assert not OAuthCode.objects.exists()


def test_the_name_of_an_app_is_not_markup(maker: Player, heather: Player) -> None:
    app = make_app(maker, "<b onclick=x>Bold<b>")
    page = Browser().log_in(app, heather).get(app.address()).content.decode()
    assert "<b onclick" not in page
    assert "&lt;b onclick=x&gt;" in page


def test_a_wrong_password_is_refused_on_the_page(app: App, heather: Player) -> None:
    answer = Browser().submit(app.address(), "log_in", username="heather", password="wrong")
    assert answer.status_code == 401
    assert "Wrong name or password" in answer.content.decode()
    assert "wrong" not in answer.content.decode().replace("wrong name", "")


def test_logging_out_on_the_page_asks_again(app: App, browser: Browser) -> None:
    answer = browser.submit(app.address(), "log_out")
    assert answer.status_code == 303
    assert 'name="password"' in browser.get(app.address()).content.decode()


@pytest.mark.parametrize("what", ("password", "ban", "suspension"))
def test_the_cookie_of_the_page_ends_with(app: App, heather: Player, browser: Browser, what: str) -> None:
    match what:
        case "password":
            heather.set_password("another heap of moor")
            heather.save()
        case "ban":
            close_account(player=heather, closing=Closing.BAN)
        case _:
            suspend_account(player=heather, until=timezone.now() + timedelta(days=1))
    assert 'name="password"' in browser.get(app.address()).content.decode()


def test_the_player_of_a_browser_continues_with_the_token_of_the_session(app: App, heather: Player) -> None:
    guest, client = make_guest()
    secret = header_of(client)
    browser = Browser()
    answer = browser.post("/oauth/session", headers={"Authorization": secret})
    assert answer.status_code == 204
    cookie = answer.cookies["haggis_oauth"]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/oauth")
    assert guest.username in browser.get(app.address()).content.decode()
    client.delete("/api/v1/auth/token")
    assert 'name="password"' in browser.get(app.address()).content.decode()


def test_only_a_session_lets_a_browser_continue(app: App, heather: Player) -> None:
    app.sign_in(heather)
    program = header_of(program_of(heather))
    for secret in (program, f"Bearer {app.tokens['access_token']}"):
        answer = Browser().post("/oauth/session", headers={"Authorization": secret})
        assert (answer.status_code, code(answer)) == (403, "not_allowed")
    assert code(Browser().post("/oauth/session")) == "not_authenticated"
    assert (
        code(Browser().post("/oauth/session", headers={"Authorization": "Bearer x"})) == "not_authenticated"
    )


# --- The endpoints


def test_the_token_endpoint_reads_forms_only(app: App) -> None:
    assert Client().get("/oauth/token").status_code == 405
    assert (
        error(Client().post("/oauth/token", {"a": "b"}, content_type="application/json")) == "invalid_request"
    )
    form = "application/x-www-form-urlencoded"
    assert error(Client().post("/oauth/token?client_id=x", "a=b", content_type=form)) == "invalid_request"
    assert error(Client().post("/oauth/token", "code=a&code=b", content_type=form)) == "invalid_request"
    for grant in (
        "password",
        "client_credentials",
        "implicit",
        "urn:ietf:params:oauth:grant-type:device_code",
    ):
        answer = app.post(
            "token", grant_type=grant, client_id=app.client_id, username="heather", password=PASSWORD
        )
        assert error(answer) == "unsupported_grant_type"


def test_expired_grants_are_deleted(app: App, heather: Player) -> None:
    app.sign_in(heather)
    now = timezone.now()
    delete_expired(now=now)
    assert (OAuthCode.objects.count(), OAuthRefreshToken.objects.count()) == (1, 1)
    delete_expired(now=now + timedelta(days=2))
    assert (OAuthCode.objects.count(), OAuthRefreshToken.objects.count()) == (0, 1)
    assert not ApiToken.objects.filter(authorization__isnull=False).exists()
    delete_expired(now=now + timedelta(days=31))
    assert OAuthRefreshToken.objects.count() == 0
    assert Authorization.objects.count() == 1
    delete_expired(now=now + timedelta(days=400))
    assert Authorization.objects.count() == 0
