"""Add messages of operators, reports, blocked addresses and proposals to annul rated matches.

The foreign keys of the new, empty tables are the last statements, so existing tables are locked only briefly.
"""

import django.db.models.deletion
import django.utils.timezone
import games.identity.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("games", "0025_player_statistics"),
    ]

    operations = [
        migrations.CreateModel(
            name="AccountNotice",
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
                        default=games.identity.models.new_account_notice_id,
                        editable=False,
                        max_length=20,
                        unique=True,
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("warning", "Warning"),
                            ("renamed", "Renamed"),
                            ("suspension", "Suspension"),
                        ],
                        max_length=10,
                    ),
                ),
                ("text", models.CharField(max_length=500)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("until", models.DateTimeField(null=True)),
                ("acknowledged_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="AnnulmentProposal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("reason", models.CharField(max_length=500)),
                ("proposed_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("approved", models.BooleanField(null=True)),
                ("decided_at", models.DateTimeField(null=True)),
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="BlockedAddress",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.CharField(max_length=64)),
                ("until", models.DateTimeField()),
            ],
            options={
                "verbose_name_plural": "blocked addresses",
            },
        ),
        migrations.CreateModel(
            name="Report",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("match_id", models.CharField(blank=True, default="", max_length=32)),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("cheating", "Cheating"),
                            ("abuse", "Abuse"),
                            ("stalling", "Stalling"),
                            ("name", "Name"),
                        ],
                        max_length=8,
                    ),
                ),
                ("text", models.CharField(blank=True, default="", max_length=2000)),
                ("times", models.PositiveSmallIntegerField(default=1)),
                ("address", models.CharField(blank=True, default="", max_length=64)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "Open"),
                            ("dismissed", "Dismissed"),
                            ("warned", "Warned"),
                            ("renamed", "Renamed"),
                            ("suspended", "Suspended"),
                            ("banned", "Banned"),
                        ],
                        default="",
                        max_length=9,
                    ),
                ),
                ("closed_at", models.DateTimeField(null=True)),
            ],
            options={
                "default_permissions": ("view",),
            },
        ),
        migrations.AddField(
            model_name="accountnotice",
            name="player",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="account_notices",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="annulmentproposal",
            name="decided_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="annulments_decided",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="annulmentproposal",
            name="match",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="annulment_proposals",
                to="games.match",
            ),
        ),
        migrations.AddField(
            model_name="annulmentproposal",
            name="proposed_by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="annulments_proposed",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="blockedaddress",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="report",
            name="claimed_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="claimed_reports",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="report",
            name="player",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="reports_about",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="report",
            name="reporter",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="reports_made",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddIndex(
            model_name="accountnotice",
            index=models.Index(fields=["player", "-id"], name="account_notice_of_player"),
        ),
        migrations.AddIndex(
            model_name="accountnotice",
            index=models.Index(fields=["acknowledged_at"], name="account_notice_by_age"),
        ),
        migrations.AddConstraint(
            model_name="accountnotice",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["warning", "renamed", "suspension"])),
                name="account_notice_kind_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="accountnotice",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("kind", "suspension"), _negated=True), ("until__isnull", False), _connector="OR"
                ),
                name="account_notice_of_suspension_has_end",
            ),
        ),
        migrations.AddConstraint(
            model_name="annulmentproposal",
            constraint=models.UniqueConstraint(
                condition=models.Q(("decided_at", None)), fields=("match",), name="annulment_proposed_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="annulmentproposal",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("approved", None), ("decided_at", None), ("decided_by", None)),
                    models.Q(
                        ("approved__isnull", False),
                        ("decided_at__isnull", False),
                        ("decided_by__isnull", False),
                    ),
                    _connector="OR",
                ),
                name="annulment_decided_completely",
            ),
        ),
        migrations.AddConstraint(
            model_name="annulmentproposal",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("approved", True), _negated=True),
                    models.Q(("decided_by", models.F("proposed_by")), _negated=True),
                    _connector="OR",
                ),
                name="annulment_approved_by_another",
            ),
        ),
        migrations.AddIndex(
            model_name="blockedaddress",
            index=models.Index(fields=["until"], name="blocked_address_by_age"),
        ),
        migrations.AddConstraint(
            model_name="blockedaddress",
            constraint=models.UniqueConstraint(fields=("address", "player"), name="blocked_address_once"),
        ),
        migrations.AddIndex(
            model_name="report",
            index=models.Index(fields=["reporter", "created_at"], name="report_by_reporter"),
        ),
        migrations.AddIndex(
            model_name="report",
            index=models.Index(fields=["player", "-id"], name="report_of_player"),
        ),
        migrations.AddIndex(
            model_name="report",
            index=models.Index(condition=models.Q(("outcome", "")), fields=["id"], name="report_open"),
        ),
        migrations.AddIndex(
            model_name="report",
            index=models.Index(fields=["closed_at"], name="report_by_age"),
        ),
        migrations.AddConstraint(
            model_name="report",
            constraint=models.CheckConstraint(
                condition=models.Q(("reason__in", ["cheating", "abuse", "stalling", "name"])),
                name="report_reason_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="report",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("outcome__in", ["", "dismissed", "warned", "renamed", "suspended", "banned"])
                ),
                name="report_outcome_is_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="report",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("closed_at", None), ("outcome", "")),
                    models.Q(models.Q(("outcome", ""), _negated=True), ("closed_at__isnull", False)),
                    _connector="OR",
                ),
                name="report_is_closed_with_an_outcome",
            ),
        ),
        migrations.AddIndex(
            model_name="report",
            index=models.Index(
                condition=models.Q(("address", ""), _negated=True),
                fields=["address", "created_at"],
                name="report_by_address",
            ),
        ),
        migrations.AddConstraint(
            model_name="report",
            constraint=models.UniqueConstraint(
                condition=models.Q(("outcome", "")),
                fields=("reporter", "player", "match_id"),
                name="report_open_once",
            ),
        ),
    ]
