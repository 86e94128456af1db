"""Add the statistics of players, and the mark of the matches that they count.

The index on matches is created without locking their table: the previous release runs meanwhile. Matches that it
finishes are counted later, because the mark is false by default.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from games.migrations._online import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0031_player_language"),
    ]

    operations = [
        migrations.CreateModel(
            name="CountedMatch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("tallies", models.JSONField()),
            ],
        ),
        migrations.CreateModel(
            name="PlayerStatistics",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("public_only", models.BooleanField()),
                ("ruleset", models.CharField(blank=True, max_length=32)),
                ("players", models.PositiveSmallIntegerField()),
                ("matches", models.PositiveIntegerField(default=0)),
                ("won", models.PositiveIntegerField(default=0)),
                ("abandoned", models.PositiveIntegerField(default=0)),
                ("rounds", models.PositiveIntegerField(default=0)),
                ("out_first", models.PositiveIntegerField(default=0)),
                ("margin_halves", models.BigIntegerField(default=0)),
                ("bets", models.PositiveIntegerField(default=0)),
                ("bets_won", models.PositiveIntegerField(default=0)),
                ("bet_points", models.PositiveBigIntegerField(default=0)),
                ("bombs", models.JSONField(default=list)),
                ("streak", models.PositiveIntegerField(default=0)),
                ("best_streak", models.PositiveIntegerField(default=0)),
                ("longest_run", models.PositiveSmallIntegerField(default=0)),
                ("longest_stair", models.PositiveSmallIntegerField(default=0)),
            ],
            options={
                "verbose_name_plural": "player statistics",
            },
        ),
        migrations.AddField(
            model_name="match",
            name="statistics_counted",
            field=models.BooleanField(db_default=False, default=False),
        ),
        AddIndexOnline(
            "match",
            models.Index(
                condition=models.Q(("statistics_counted", False), ("status", "finished")),
                fields=["finished_at", "id"],
                name="match_not_counted",
            ),
        ),
        migrations.AddField(
            model_name="countedmatch",
            name="match",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="counted_match", to="games.match"
            ),
        ),
        migrations.AddField(
            model_name="playerstatistics",
            name="opponent",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="playerstatistics",
            name="player",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="statistics",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="playerstatistics",
            constraint=models.UniqueConstraint(
                fields=("player", "opponent", "ruleset", "players", "public_only"),
                name="player_statistics_once",
            ),
        ),
    ]
