"""Add the ratings of players, and what the result of a match says of them.

The index on matches is created without locking their table: the previous release runs meanwhile. Rated matches that
it finishes are rated later, because the column is null by default.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from games.migrations._online import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0040_blocks"),
    ]

    operations = [
        migrations.CreateModel(
            name="PlayerRating",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("human", "Human"), ("guest", "Guest"), ("bot", "Bot")], max_length=5
                    ),
                ),
                ("ruleset", models.CharField(max_length=32)),
                ("players", models.PositiveSmallIntegerField()),
                ("mu", models.FloatField()),
                ("sigma", models.FloatField()),
                ("rating", models.IntegerField()),
                ("skill", models.FloatField()),
                ("skill_variance", models.FloatField()),
                ("rounds", models.PositiveIntegerField()),
                ("matches", models.PositiveIntegerField()),
                ("won", models.PositiveIntegerField()),
                ("opponents", models.JSONField(default=list)),
                ("rated_at", models.DateTimeField()),
                ("settled_until", models.DateTimeField()),
                ("ranked_until", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="RatedMatch",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("human", "Human"), ("guest", "Guest"), ("bot", "Bot")], max_length=5
                    ),
                ),
                ("ruleset", models.CharField(max_length=32)),
                ("players", models.PositiveSmallIntegerField()),
                ("sequence", models.PositiveBigIntegerField()),
                ("at", models.DateTimeField()),
                ("seats", models.JSONField()),
                ("rounds", models.PositiveSmallIntegerField()),
                (
                    "skipped",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "Nothing"),
                            ("same_opponents", "Same Opponents"),
                            ("annulled", "Annulled"),
                            ("not_possible", "Not Possible"),
                        ],
                        db_default="",
                        default="",
                        max_length=16,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "rated matches",
            },
        ),
        migrations.CreateModel(
            name="RatingChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("sequence", models.PositiveBigIntegerField()),
                ("at", models.DateTimeField()),
                ("mu", models.FloatField()),
                ("sigma", models.FloatField()),
            ],
        ),
        migrations.CreateModel(
            name="RatingPool",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("human", "Human"), ("guest", "Guest"), ("bot", "Bot")], max_length=5
                    ),
                ),
                ("ruleset", models.CharField(max_length=32)),
                ("players", models.PositiveSmallIntegerField()),
                ("last_sequence", models.PositiveBigIntegerField(default=0)),
                ("mean_skill", models.FloatField(default=0.0)),
                ("measured_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.AddField(
            model_name="match",
            name="rating_result",
            field=models.JSONField(null=True),
        ),
        AddIndexOnline(
            "match",
            models.Index(
                condition=models.Q(("rated", True), ("rating_result__isnull", True), ("status", "finished")),
                fields=["finished_at", "id"],
                name="match_not_rated",
            ),
        ),
        migrations.AddField(
            model_name="playerrating",
            name="player",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="ratings",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="ratedmatch",
            name="match",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="rated_match", to="games.match"
            ),
        ),
        migrations.AddField(
            model_name="ratingchange",
            name="player_rating",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="changes",
                to="games.playerrating",
            ),
        ),
        migrations.AddField(
            model_name="ratingchange",
            name="rated_match",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="changes",
                to="games.ratedmatch",
            ),
        ),
        migrations.AddConstraint(
            model_name="ratingpool",
            constraint=models.UniqueConstraint(
                fields=("kind", "ruleset", "players"), name="rating_pool_once"
            ),
        ),
        migrations.AddIndex(
            model_name="playerrating",
            index=models.Index(
                condition=models.Q(("ranked_until__isnull", False)),
                fields=["kind", "ruleset", "players", "-rating", "id"],
                name="player_rating_by_rank",
            ),
        ),
        migrations.AddConstraint(
            model_name="playerrating",
            constraint=models.UniqueConstraint(
                fields=("player", "kind", "ruleset", "players"), name="player_rating_once_a_pool"
            ),
        ),
        migrations.AddConstraint(
            model_name="ratedmatch",
            constraint=models.UniqueConstraint(
                fields=("kind", "ruleset", "players", "sequence"), name="rated_match_sequence_once_a_pool"
            ),
        ),
        migrations.AddConstraint(
            model_name="ratedmatch",
            constraint=models.CheckConstraint(
                condition=models.Q(("skipped__in", ["", "same_opponents", "annulled", "not_possible"])),
                name="rated_match_skip_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="ratingchange",
            constraint=models.UniqueConstraint(
                fields=("rated_match", "player_rating"), name="rating_change_once_a_match"
            ),
        ),
        migrations.AddConstraint(
            model_name="ratingchange",
            constraint=models.UniqueConstraint(
                fields=("player_rating", "sequence"), name="rating_change_in_order"
            ),
        ),
    ]
