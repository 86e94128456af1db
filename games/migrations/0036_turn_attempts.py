"""Add the turns at which AIs failed, which operators see on the page of a match."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0034_published_records"),
    ]

    operations = [
        migrations.CreateModel(
            name="TurnAttempt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("version", models.PositiveIntegerField()),
                ("seat", models.PositiveSmallIntegerField()),
                ("level", models.CharField(max_length=16)),
                ("attempt", models.PositiveSmallIntegerField()),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("failed", "Failed"),
                            ("interrupted", "Interrupted"),
                            ("fallback", "Fallback"),
                        ],
                        max_length=11,
                    ),
                ),
                ("error", models.CharField(blank=True, default="", max_length=64)),
                ("place", models.CharField(blank=True, default="", max_length=120)),
                ("at", models.DateTimeField()),
                (
                    "match",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.match",
                    ),
                ),
            ],
            options={
                "default_permissions": (),
                "indexes": [
                    models.Index(fields=["match", "-id"], name="turn_attempt_of_match"),
                    models.Index(fields=["at"], name="turn_attempt_by_age"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("outcome__in", ["failed", "interrupted", "fallback"])),
                        name="turn_attempt_outcome_is_known",
                    )
                ],
            },
        ),
    ]
