"""All admin pages, registered on the admin site."""

from typing import Final

from games.operators.admin import lists, matches, players
from games.operators.admin.site import site

ADMIN_CLASSES: Final = (
    matches.MatchAdmin,
    players.PlayerAdmin,
    lists.WebhookAdmin,
    lists.DeliveryAdmin,
    lists.OperatorActionAdmin,
)

urls: Final = site.urls
