"""Apps of third parties: they send a browser to the consent page and exchange codes and refresh tokens."""

import base64
import hashlib
import re
import secrets
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from django.test import Client
from rest_framework.test import APIClient

from games.identity.app_models import OAuthApp
from games.identity.models import Player
from games.oauth.apps import create_app
from tests.support.clients import PASSWORD, client_with_token

CALLBACK = "https://app.example.com/callback"
AUTHORIZE = "/oauth/authorize"
FORM = "application/x-www-form-urlencoded"


def challenge_of(verifier: str) -> str:
    """Return the challenge of PKCE for a verifier."""
    digest = hashlib.sha256(verifier.encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def make_app(owner: Player, name: str = "Card Reader", *addresses: str) -> "App":
    """Register an app."""
    return App(create_app(owner=owner, name=name, redirect_uris=addresses or (CALLBACK,)))


def parameters_of(address: str) -> dict[str, str]:
    """Return the query of an address."""
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


@dataclass
class App:
    """A client of OAuth 2.1 with the verifier of its running sign-in, and the tokens that it got."""

    row: OAuthApp
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48))
    tokens: dict[str, Any] = field(default_factory=dict)

    @property
    def client_id(self) -> str:
        """The public id."""
        return self.row.client_id

    def address(self, **changes: str | None) -> str:
        """Return the address to which the app sends a browser; a parameter of None is left out."""
        parameters = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.row.redirect_uris[0],
            "scope": "matches:read matches:play",
            "state": "a state",
            "code_challenge": challenge_of(self.verifier),
            "code_challenge_method": "S256",
        } | changes
        given = {name: value for name, value in parameters.items() if value is not None}
        return f"{AUTHORIZE}?{urlencode(given)}"

    def post(self, path: str, **body: str | None) -> Any:
        """Send a form as the app itself does, without cookies."""
        given = {name: value for name, value in body.items() if value is not None}
        return Client().post(f"/oauth/{path}", urlencode(given), content_type=FORM)

    def exchange(self, code: str, **changes: str | None) -> Any:
        """Exchange a code; the tokens are stored if it works."""
        body: dict[str, str | None] = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.row.redirect_uris[0],
            "client_id": self.client_id,
            "code_verifier": self.verifier,
        }
        return self._store(self.post("token", **(body | changes)))

    def refresh(self, token: str = "", **changes: str | None) -> Any:
        """Exchange a refresh token; the new tokens are stored if it works."""
        body: dict[str, str | None] = {
            "grant_type": "refresh_token",
            "refresh_token": token or self.tokens["refresh_token"],
            "client_id": self.client_id,
        }
        return self._store(self.post("token", **(body | changes)))

    def sign_in(self, player: Player, **changes: str | None) -> APIClient:
        """Let a player authorize the app, get tokens, and return a client with the access token."""
        browser = Browser().log_in(self, player)
        answer = self.exchange(browser.allow(self.address(**changes))["code"])
        assert answer.status_code == 200, answer.content
        return self.client

    @property
    def client(self) -> APIClient:
        """A client with the access token."""
        return client_with_token(self.tokens["access_token"])

    def _store(self, answer: Any) -> Any:
        if answer.status_code == 200:
            self.tokens = answer.json()
        return answer


class Browser(Client):
    """A browser of a player, with cookies, that the service checks for forged requests."""

    def __init__(self, **options: Any) -> None:
        """Create a browser without cookies."""
        super().__init__(enforce_csrf_checks=True, **options)

    def submit(self, address: str, action: str, **values: str) -> Any:
        """Open the page and submit its form."""
        page = self.get(address)
        assert page.status_code == 200, (page.status_code, page.content[:300])
        hidden = dict(
            re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page.content.decode()),
        )
        return self.post(address, hidden | values | {"action": action})

    def log_in(self, app: App, player: Player, **values: str) -> "Browser":
        """Log in on the page of an app."""
        credentials = {"username": player.username, "password": PASSWORD}
        answer = self.submit(app.address(), "log_in", **(credentials | values))
        assert answer.status_code == 303, answer.content
        return self

    def allow(self, address: str) -> dict[str, str]:
        """Allow what the app asks for; return the parameters with which the browser returns to the app."""
        answer = self.get(address)
        if answer.status_code == 200:
            answer = self.submit(address, "allow")
        assert answer.status_code == 302, answer.content
        return parameters_of(answer["Location"])
