"""All admin pages, registered on the admin site."""

from typing import Final

from games.operators.admin import apps, deliveries, exports, lists, matches, players, reports
from games.operators.admin.site import site

ADMIN_CLASSES: Final = (
    matches.MatchAdmin,
    players.PlayerAdmin,
    reports.ReportAdmin,
    apps.AppAdmin,
    deliveries.WebhookAdmin,
    deliveries.DeliveryAdmin,
    deliveries.NoticeAdmin,
    exports.DatasetFileAdmin,
    lists.OperatorActionAdmin,
)

urls: Final = site.urls
