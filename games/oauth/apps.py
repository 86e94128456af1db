"""Create, change and delete the apps of a player."""

import re
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from django.db import transaction
from django.utils import timezone

from games.accounts.services.names import normalise_display_name
from games.core.errors import Problem, invalid_field, require_found
from games.core.languages import message
from games.identity.app_models import MAX_WEBSITE_LENGTH, Authorization, OAuthApp
from games.identity.models import Player, PlayerKind
from games.identity.services import lock_player

MAX_APPS: Final = 20
MAX_REDIRECT_URIS: Final = 10
MAX_REDIRECT_URI_LENGTH: Final = 500
# Printable ASCII without what browsers and parsers read differently.
_ALLOWED: Final = re.compile(r"[A-Za-z0-9\-._~:/?\[\]@!$&'()*+,;=%]+")
# The reversed name of a domain, as RFC 8252 asks: no scheme that a browser handles itself has a dot.
_OWN_SCHEME: Final = re.compile(r"[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+")
_LOCAL_HOSTS: Final = ("localhost", "127.0.0.1")
_HOST: Final = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?")


def create_app(*, owner: Player, name: str, redirect_uris: Sequence[str], website: str = "") -> OAuthApp:
    """Create an app of a registered player."""
    if owner.kind != PlayerKind.HUMAN:
        raise Problem(
            "not_allowed", message("Only registered players can have apps. Claim your account first.")
        )
    app = OAuthApp(
        owner=owner,
        name=_validated_name(name),
        website=_validated_website(website),
        redirect_uris=_validated_uris(redirect_uris),
    )
    with transaction.atomic():
        lock_player(owner)
        if OAuthApp.objects.filter(owner=owner).count() >= MAX_APPS:
            raise Problem("limit_reached", message("You can have at most {most} apps.", most=MAX_APPS))
        app.save(force_insert=True)
    return app


def change_app(
    *,
    owner: Player,
    client_id: str,
    name: str | None = None,
    website: str | None = None,
    redirect_uris: Sequence[str] | None = None,
) -> OAuthApp:
    """Change the given properties of an app; what players have authorized stays."""
    with transaction.atomic():
        lock_player(owner)
        app = require_found(OAuthApp.objects.filter(owner=owner, client_id=client_id).first())
        if name is not None:
            app.name = _validated_name(name)
        if website is not None:
            app.website = _validated_website(website)
        if redirect_uris is not None:
            app.redirect_uris = _validated_uris(redirect_uris)
        app.save(update_fields=["name", "website", "redirect_uris"])
    return app


def delete_app(*, owner: Player, client_id: str) -> None:
    """Delete an app with everything that players have authorized; raise 404 if there is none."""
    with transaction.atomic():
        lock_player(owner)
        deleted, _ = OAuthApp.objects.filter(owner=owner, client_id=client_id).delete()
    if not deleted:
        raise Problem("not_found")


def stop_app(*, client_id: str) -> OAuthApp:
    """Stop an app and end everything that players have authorized it to do."""
    app = _lock_app(client_id)
    if app.stopped_at is not None:
        raise Problem("not_allowed", "This app has been stopped already.")
    app.stopped_at = timezone.now()
    app.save(update_fields=["stopped_at"])
    Authorization.objects.filter(app=app).delete()
    return app


def enable_app(*, client_id: str) -> OAuthApp:
    """Let a stopped app ask players again."""
    app = _lock_app(client_id)
    app.stopped_at = None
    app.save(update_fields=["stopped_at"])
    return app


def _lock_app(client_id: str) -> OAuthApp:
    apps = OAuthApp.objects.select_for_update(of=("self",)).select_related("owner")
    return require_found(apps.filter(client_id=client_id).first())


def delete_apps(*, owner: Player) -> None:
    """Delete all apps of a player whose account is being deleted."""
    OAuthApp.objects.filter(owner=owner).delete()


def _validated_name(name: str) -> str:
    shown = normalise_display_name(name, "/name")
    if any(each in shown for each in "/:@"):
        raise invalid_field("/name", "invalid", message("The name may not look like an address."))
    if not shown:
        raise invalid_field("/name", "blank", message("An app needs a name."))
    return shown


def _validated_website(website: str) -> str:
    if not website:
        return ""
    parts = _split(website)
    if parts is None or parts[0] != "https" or len(website) > MAX_WEBSITE_LENGTH:
        raise invalid_field("/website", "unusable_url", message("Use an https address."))
    return website


def _validated_uris(uris: Sequence[str]) -> list[str]:
    for index, uri in enumerate(uris):
        if not is_redirect_uri(uri):
            raise invalid_field(
                f"/redirect_uris/{index}",
                "unusable_url",
                message(
                    "Use an https address, http with localhost or 127.0.0.1, or a scheme of your own such as "
                    "com.example.app:/callback; without a fragment, a user name or a wildcard."
                ),
            )
    return list(dict.fromkeys(uris))


def is_redirect_uri(uri: str) -> bool:
    """Return whether codes may be sent to this address.

    >>> is_redirect_uri("https://example.com/callback?a=b"), is_redirect_uri("com.example.app:/callback")
    (True, True)
    >>> is_redirect_uri("http://127.0.0.1:8080/"), is_redirect_uri("http://example.com/callback")
    (True, False)
    >>> is_redirect_uri("javascript:alert(1)"), is_redirect_uri("https://example.com/#fragment")
    (False, False)
    """
    found = _split(uri)
    if found is None or len(uri) > MAX_REDIRECT_URI_LENGTH:
        return False
    scheme, host = found
    match scheme:
        case "https":
            return bool(host)
        case "http":
            return host in _LOCAL_HOSTS
        case _:
            return bool(_OWN_SCHEME.fullmatch(scheme)) and not host


def _split(uri: str) -> tuple[str, str] | None:
    """Return the scheme and the host of an address that every parser reads in the same way, or None."""
    if not _ALLOWED.fullmatch(uri) or "#" in uri:
        return None
    try:
        parts = urlsplit(uri)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return None
    if "@" in parts.netloc or "*" in parts.netloc or (host and not _HOST.fullmatch(host)):
        return None
    if not uri.startswith(f"{parts.scheme}:") or (host and not uri.startswith(f"{parts.scheme}://")):
        return None
    return parts.scheme, host
