"""SQLite as Django knows it, without having every new connection wait for whoever writes.

Whether SQLite reads JSON is something that Django tries in a transaction, on each connection that reads some.
Ours take the lock of writers when they begin (IMMEDIATE), so a reader would wait for it just to find out; and
when that took too long, Django would believe from then on that there is no JSON.
"""

from django.db.backends.sqlite3 import base, features


class DatabaseFeatures(features.DatabaseFeatures):
    """Every SQLite that this service starts on reads JSON: its migrations need it."""

    supports_json_field = True


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection of that kind."""

    features_class = DatabaseFeatures
