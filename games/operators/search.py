"""Searches of the admin: by name, display name, e-mail address, id, or the URL of a page of the site."""

import re
from typing import Final, NamedTuple

from django.db.models import Q, QuerySet
from django.db.models.functions import Lower

from games.identity.app_models import OAuthApp
from games.identity.models import Player
from games.identity.queries import find_player
from games.matches.models.match import PREFIX, Match, Seat
from games.notifications.models import Delivery, Webhook
from games.reports.models import Report

_MATCH_LINK: Final = re.compile(rf"/(?:matches|replay)/({PREFIX}\w+)")
_PLAYER_LINK: Final = re.compile(r"(?:^|/)(?:@|players/)([A-Za-z0-9_-]+)")
# Sorts after every character of a name, in all collations of PostgreSQL.
_LAST: Final = "\U0010ffff"


class SearchTerm(NamedTuple):
    """What somebody entered: the id of a match or the name of a player if it is a link, else the text."""

    text: str
    match_id: str = ""
    username: str = ""


def parse_term(search: str) -> SearchTerm:
    """Recognize links to matches and players, and ids of matches.

    >>> parse_term("https://haggis.example/matches/m_00ab?x=1").match_id
    'm_00ab'
    >>> parse_term("https://haggis.example/@heather").username
    'heather'
    >>> parse_term(" Heather ").text
    'Heather'
    """
    text = search.strip()
    if found := _MATCH_LINK.search(text):
        return SearchTerm(text, match_id=found[1])
    if text.startswith(PREFIX):
        return SearchTerm(text, match_id=text)
    if found := _PLAYER_LINK.search(text):
        return SearchTerm(text, username=found[1])
    return SearchTerm(text)


def _named(name: str) -> Q:
    return Q(pk__in=Player.objects.alias(lowered=Lower("username")).filter(lowered=name.lower()).values("pk"))


def search_matches(matches: "QuerySet[Match]", search: str) -> "QuerySet[Match]":
    """Filter matches by the beginning of their id, by a link, or by the name of a player."""
    term = parse_term(search)
    if not term.text:
        return matches
    if term.match_id:
        return matches.filter(pk__gte=term.match_id, pk__lt=term.match_id + _LAST)
    players = Player.objects.filter(_named(term.username or term.text))
    return matches.filter(pk__in=Seat.objects.filter(player__in=players).values("match_id"))


def search_players(players: "QuerySet[Player]", search: str) -> "QuerySet[Player]":
    """Filter players by the beginning of a name, by e-mail address or id, or by a link to them or a match."""
    term = parse_term(search)
    text = term.text.lower()
    if not text:
        return players
    if term.match_id:
        return players.filter(pk__in=Seat.objects.filter(match=term.match_id).values("player_id"))
    if term.username:
        return players.filter(_named(term.username))
    if "@" in text:
        return players.alias(address=Lower("email")).filter(address=text)
    by_username = Q(lowered__gte=text, lowered__lt=text + _LAST)
    by_display_name = ~Q(display_name="") & Q(shown__gte=text, shown__lt=text + _LAST)
    by_id = Q(pk=int(text)) if re.fullmatch(r"[0-9]{1,18}", text) else Q()
    names = players.alias(lowered=Lower("username"), shown=Lower("display_name"))
    return names.filter(by_username | by_display_name | by_id)


def search_webhooks(webhooks: "QuerySet[Webhook]", search: str) -> "QuerySet[Webhook]":
    """Filter endpoints by their id, or by the name of their player."""
    term = parse_term(search)
    if not term.text:
        return webhooks
    players = Player.objects.filter(_named(term.username or term.text))
    return webhooks.filter(Q(public_id=term.text.lower()) | Q(player__in=players))


def search_apps(apps: "QuerySet[OAuthApp]", search: str) -> "QuerySet[OAuthApp]":
    """Filter apps by their client id or name, or by the name of their owner."""
    term = parse_term(search)
    if not term.text:
        return apps
    players = Player.objects.filter(_named(term.username or term.text))
    return apps.filter(Q(client_id=term.text.lower()) | Q(name__iexact=term.text) | Q(owner__in=players))


def search_deliveries(deliveries: "QuerySet[Delivery]", search: str) -> "QuerySet[Delivery]":
    """Filter deliveries by their id, that of their endpoint, or by a match."""
    term = parse_term(search)
    if not term.text:
        return deliveries
    if term.match_id:
        return deliveries.filter(match=term.match_id)
    webhooks = Webhook.objects.filter(public_id=term.text.lower())
    return deliveries.filter(Q(public_id=term.text) | Q(webhook__in=webhooks))


def search_reports(reports: "QuerySet[Report]", search: str) -> "QuerySet[Report]":
    """Filter reports by the name of the reported player or of the reporter, or by a match."""
    term = parse_term(search)
    if not term.text:
        return reports
    if term.match_id:
        return reports.filter(match_id=term.match_id)
    players = Player.objects.filter(_named(term.username or term.text))
    return reports.filter(Q(player__in=players) | Q(reporter__in=players))


class SearchTarget(NamedTuple):
    """The page that a search leads to."""

    view: str
    key: str | int


def find_target(search: str) -> SearchTarget | None:
    """Return the page of what the search names exactly; `None` if it names nothing, or several things."""
    term = parse_term(search)
    if term.match_id:
        exists = Match.objects.filter(pk=term.match_id).exists()
        return SearchTarget("games_match_change", term.match_id) if exists else None
    webhook = Webhook.objects.filter(public_id=term.text.lower()).first()
    if webhook is not None:
        return SearchTarget("games_webhook_change", webhook.pk)
    delivery = Delivery.objects.filter(public_id=term.text).first()
    if delivery is not None:
        return SearchTarget("games_delivery_change", delivery.pk)
    player = find_player(term.username or term.text)
    return None if player is None else SearchTarget("games_player_change", player.pk)
