"""Add the files of the data set and the archives of players."""

import django.db.models.deletion
import django.db.models.functions.datetime
import games.privacy.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0037_app_actions"),
    ]

    operations = [
        migrations.CreateModel(
            name="DatasetFile",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=64, unique=True)),
                ("month", models.DateField(null=True)),
                (
                    "format",
                    models.CharField(
                        choices=[("ndjson", "Ndjson"), ("parquet", "Parquet"), ("names", "Names")],
                        max_length=7,
                    ),
                ),
                ("wake_at", models.DateTimeField(null=True)),
                ("attempts", models.PositiveSmallIntegerField(db_default=0, default=0)),
                ("fault", models.CharField(blank=True, db_default="", default="", max_length=64)),
                ("written_at", models.DateTimeField(null=True)),
                ("rows", models.PositiveIntegerField(db_default=0, default=0)),
                ("size", models.PositiveBigIntegerField(db_default=0, default=0)),
                ("sha256", models.CharField(blank=True, db_default="", default="", max_length=64)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("format__in", ["ndjson", "parquet", "names"])),
                        name="dataset_file_format_is_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("format", "names"), ("month", None)),
                            models.Q(models.Q(("format", "names"), _negated=True), ("month__isnull", False)),
                            _connector="OR",
                        ),
                        name="dataset_file_has_month",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PersonalExport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "public_id",
                    models.CharField(
                        default=games.privacy.models.new_export_id, editable=False, max_length=20, unique=True
                    ),
                ),
                ("requested_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "wake_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), null=True),
                ),
                ("attempts", models.PositiveSmallIntegerField(db_default=0, default=0)),
                (
                    "file",
                    models.CharField(
                        default=games.privacy.models.new_file_name, editable=False, max_length=60, unique=True
                    ),
                ),
                ("ready_at", models.DateTimeField(null=True)),
                ("expires_at", models.DateTimeField(null=True)),
                ("size", models.PositiveBigIntegerField(db_default=0, default=0)),
                ("sha256", models.CharField(blank=True, db_default="", default="", max_length=64)),
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
                    models.Index(fields=["player", "-id"], name="personal_export_of_player"),
                    models.Index(
                        condition=models.Q(("wake_at__isnull", False)),
                        fields=["wake_at"],
                        name="personal_export_waits",
                    ),
                ],
            },
        ),
    ]
