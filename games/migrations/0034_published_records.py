"""Add the published records, and the mark of the matches whose end the worker that publishes them has seen.

The index on matches is created without locking their table: the previous release runs meanwhile. Matches that it
finishes are published later, because the mark is false by default.
"""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

import games.core.secrets
from games.migrations._online import AddIndexOnline


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0035_notices_of_players"),
    ]

    operations = [
        migrations.CreateModel(
            name="Dataset",
            fields=[
                ("id", models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("last_number", models.PositiveBigIntegerField(default=0)),
                ("pseudonym_key", games.core.secrets.SecretBytesField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("id", 1)), name="dataset_is_one"),
                ],
            },
        ),
        migrations.CreateModel(
            name="PublishedRecord",
            fields=[
                ("number", models.PositiveBigIntegerField(primary_key=True, serialize=False)),
                ("ruleset", models.CharField(max_length=32)),
                ("players", models.PositiveSmallIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[("human", "Human"), ("bot", "Bot"), ("mixed", "Mixed")], max_length=5
                    ),
                ),
                ("finished_at", models.DateTimeField()),
                ("published_at", models.DateTimeField(db_default=Now())),
                ("size", models.PositiveIntegerField()),
                ("line", models.BinaryField()),
                (
                    "match",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="published_record",
                        to="games.match",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["human", "bot", "mixed"])),
                        name="published_record_kind_is_known",
                    ),
                ],
                "indexes": [
                    models.Index(fields=["finished_at", "number"], name="published_record_by_end"),
                    models.Index(
                        fields=["ruleset", "players", "kind", "number"], name="published_record_by_filters"
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="match",
            name="record_published",
            field=models.BooleanField(db_default=False, default=False),
        ),
        AddIndexOnline(
            "match",
            models.Index(
                condition=models.Q(("record_published", False), ("status", "finished")),
                fields=["finished_at", "id"],
                name="match_not_published",
            ),
        ),
    ]
