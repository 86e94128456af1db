"""Every route of API v1. What leads nowhere is answered in the same form as everything else."""

from django.urls import URLPattern, re_path

from games.api.accounts.urls import account_routes
from games.api.clock.urls import clock_routes
from games.api.events.urls import event_routes
from games.api.lobby.urls import lobby_routes
from games.api.problems import nothing_here
from games.api.push.urls import push_routes
from games.api.schema.urls import contract_routes
from games.api.table.urls import table_routes
from games.api.webhooks.urls import webhook_routes

urlpatterns: list[URLPattern] = [
    *account_routes(),
    *lobby_routes(),
    *table_routes(),
    *clock_routes(),
    *webhook_routes(),
    *push_routes(),
    *event_routes(),
    *contract_routes(),
    re_path(r"^.*$", nothing_here),
]
