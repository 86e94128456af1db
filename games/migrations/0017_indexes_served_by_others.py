"""Drop the indexes that another index already serves: they were a tenth of what an insert costs.

A foreign key that begins a unique constraint or another index needs no index of its own, and no query uses LIKE
on a name or id, for which Django adds an index to each such column of PostgreSQL. There they are dropped, and
made again by the way back, without locking a table: releases before and after this one run meanwhile.
"""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# Name, table, column.
ON_KEYS = (
    ("games_move_match_id_b9c0e951", "games_move", "match_id"),
    ("games_round_match_id_59a22b82", "games_round", "match_id"),
    ("games_bet_match_id_c44a446f", "games_bet", "match_id"),
    ("games_seat_match_id_72fea2e9", "games_seat", "match_id"),
    ("games_seat_player_id_15ebc6ad", "games_seat", "player_id"),
    ("games_notice_player_id_935ce6a2", "games_notice", "player_id"),
    ("games_idempotencykey_player_id_18794955", "games_idempotencykey", "player_id"),
    ("games_delivery_webhook_id_3fd9a3b8", "games_delivery", "webhook_id"),
    ("games_webhook_player_id_f615249d", "games_webhook", "player_id"),
    ("games_device_player_id_b99118f2", "games_device", "player_id"),
    ("games_analysedpiece_analysis_id_c59a6800", "games_analysedpiece", "analysis_id"),
)
FOR_LIKE = (
    ("games_move_match_id_b9c0e951_like", "games_move", "match_id"),
    ("games_round_match_id_59a22b82_like", "games_round", "match_id"),
    ("games_bet_match_id_c44a446f_like", "games_bet", "match_id"),
    ("games_seat_match_id_72fea2e9_like", "games_seat", "match_id"),
    ("games_match_id_2d0ceaf6_like", "games_match", "id"),
    ("games_match_next_match_id_c8e14223_like", "games_match", "next_match_id"),
    ("games_seedchain_match_id_5646881f_like", "games_seedchain", "match_id"),
    ("games_snapshot_match_id_fa102591_like", "games_snapshot", "match_id"),
    ("games_player_username_ba62214b_like", "games_player", "username"),
    ("games_apitoken_digest_e2e2c130_like", "games_apitoken", "digest"),
    ("games_apitoken_token_key_ca03a519_like", "games_apitoken", "token_key"),
    ("games_apitoken_public_id_0c9fa578_like", "games_apitoken", "public_id"),
    ("games_ticket_digest_ee4b956f_like", "games_ticket", "digest"),
    ("games_ticket_token_id_daf187fc_like", "games_ticket", "token_id"),
    ("games_webhook_public_id_6acfee39_like", "games_webhook", "public_id"),
    ("games_webhook_match_id_65553ebe_like", "games_webhook", "match_id"),
    ("games_delivery_public_id_937fd533_like", "games_delivery", "public_id"),
    ("games_operatoraction_match_id_0fdced7e_like", "games_operatoraction", "match_id"),
    ("games_heartbeat_name_90024b02_like", "games_heartbeat", "name"),
    ("games_analysis_match_id_0ded0ddd_like", "games_analysis", "match_id"),
    ("games_analysedpiece_analysis_id_c59a6800_like", "games_analysedpiece", "analysis_id"),
    ("games_importedrecord_match_id_0b0c2739_like", "games_importedrecord", "match_id"),
    ("games_device_public_id_44e03321_like", "games_device", "public_id"),
    ("games_device_place_2f00eed9_like", "games_device", "place"),
)


def drop(_: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Drop them all."""
    postgresql = editor.connection.vendor == "postgresql"
    for name, _table, _column in (*ON_KEYS, *FOR_LIKE) if postgresql else ON_KEYS:
        editor.execute(f"DROP INDEX {'CONCURRENTLY ' if postgresql else ''}IF EXISTS {name}")


def create(_: object, editor: BaseDatabaseSchemaEditor) -> None:
    """Create them again."""
    postgresql = editor.connection.vendor == "postgresql"
    how = "CONCURRENTLY " if postgresql else ""
    for name, table, column in ON_KEYS:
        editor.execute(f"CREATE INDEX {how}IF NOT EXISTS {name} ON {table} ({column})")
    for name, table, column in FOR_LIKE if postgresql else ():
        editor.execute(f"CREATE INDEX {how}IF NOT EXISTS {name} ON {table} ({column} varchar_pattern_ops)")


def _key(to: str, **options: Any) -> models.ForeignKey[Any, Any]:
    return models.ForeignKey(
        **{"on_delete": django.db.models.deletion.CASCADE, "db_index": False, "to": to, **options}
    )


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0016_push"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(drop, create)],
            state_operations=[
                migrations.AlterField("move", "match", _key("games.match", related_name="moves")),
                migrations.AlterField("round", "match", _key("games.match", related_name="rounds")),
                migrations.AlterField("bet", "match", _key("games.match", related_name="bets")),
                migrations.AlterField("seat", "match", _key("games.match", related_name="seats")),
                migrations.AlterField(
                    "seat",
                    "player",
                    _key(
                        settings.AUTH_USER_MODEL,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seats",
                    ),
                ),
                migrations.AlterField(
                    "notice", "player", _key(settings.AUTH_USER_MODEL, related_name="notices")
                ),
                migrations.AlterField(
                    "idempotencykey", "player", _key(settings.AUTH_USER_MODEL, related_name="+")
                ),
                migrations.AlterField(
                    "delivery", "webhook", _key("games.webhook", related_name="deliveries")
                ),
                migrations.AlterField(
                    "device", "player", _key(settings.AUTH_USER_MODEL, related_name="devices")
                ),
                migrations.AlterField(
                    "analysedpiece", "analysis", _key("games.analysis", related_name="pieces")
                ),
                migrations.AlterField(
                    "webhook", "player", _key(settings.AUTH_USER_MODEL, related_name="webhooks")
                ),
            ],
        ),
    ]
