"""The addresses of the admin; importing the lists is what puts them on the site."""

from typing import Final

from games.admin import deeds_done, deliveries
from games.admin.matches import listing as matches
from games.admin.players import listing as players
from games.admin.site import site

LISTS: Final = (
    matches.MatchAdmin,
    players.PlayerAdmin,
    deliveries.WebhookAdmin,
    deliveries.DeliveryAdmin,
    deeds_done.OperatorActionAdmin,
)

urls: Final = site.urls
