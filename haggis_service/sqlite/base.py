"""Django's SQLite backend, without its check for JSON support.

Django checks it in a transaction on each connection that reads JSON. Transactions take the write lock when
they begin (IMMEDIATE), so a reader would wait for writers just for this check. And if that timed out, Django
would assume from then on that JSON is not supported.
"""

from django.db.backends.sqlite3 import base, features


class DatabaseFeatures(features.DatabaseFeatures):
    """Features of SQLite with JSON support, which the migrations require anyway."""

    supports_json_field = True


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection with these features."""

    features_class = DatabaseFeatures
