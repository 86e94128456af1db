"""Add the attempts to send notices, which players see on their account page."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0026_puzzles"),
    ]

    operations = [
        migrations.CreateModel(
            name="NoticeAttempt",
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
                        choices=[
                            ("invitation", "Invitation"),
                            ("your_turn", "Your Turn"),
                            ("reminder", "Reminder"),
                            ("caretaker", "Caretaker"),
                            ("match_end", "Match End"),
                            ("webhook_stopped", "Webhook Stopped"),
                            ("test", "Test"),
                        ],
                        max_length=16,
                    ),
                ),
                (
                    "channel",
                    models.CharField(
                        choices=[("email", "Email"), ("digest", "Digest"), ("push", "Push")], max_length=6
                    ),
                ),
                ("about", models.CharField(max_length=40)),
                ("device", models.CharField(blank=True, default="", max_length=20)),
                (
                    "result",
                    models.CharField(
                        choices=[("sent", "Sent"), ("retrying", "Retrying"), ("failed", "Failed")],
                        max_length=8,
                    ),
                ),
                ("response", models.PositiveSmallIntegerField(null=True)),
                ("at", models.DateTimeField()),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["player", "-id"], name="notice_attempt_of_player"),
                    models.Index(fields=["at"], name="notice_attempt_by_age"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("result__in", ["sent", "retrying", "failed"])),
                        name="notice_attempt_result_is_known",
                    )
                ],
            },
        ),
    ]
