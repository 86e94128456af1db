"""Add second factors, known devices, security events and counts of mails; mark tokens from logging in."""

from typing import Any

import django.db.models.deletion
import django.db.models.functions.text
import games.core.secrets
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor


def mark_sessions(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Mark the tokens from logging in: unlike those for programs they have no name."""
    tokens = apps.get_model("games", "ApiToken").objects.using(editor.connection.alias)
    tokens.filter(name="").exclude(user__kind="bot").update(session=True)


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("games", "0021_closed_accounts"),
    ]

    operations = [
        migrations.CreateModel(
            name="KnownDevice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.CharField(max_length=64)),
                ("device", models.CharField(blank=True, default="", max_length=60)),
                ("last_seen", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="RecoveryCode",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=128)),
            ],
        ),
        migrations.CreateModel(
            name="SecondFactor",
            fields=[
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="second_factor",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("key", games.core.secrets.SecretJSONField()),
                ("confirmed_at", models.DateTimeField(null=True)),
                ("last_step", models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="SecurityEvent",
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
                            ("email_changed", "Email Changed"),
                            ("password_changed", "Password Changed"),
                            ("second_factor_added", "Second Factor Added"),
                            ("second_factor_removed", "Second Factor Removed"),
                            ("new_device", "New Device"),
                        ],
                        max_length=24,
                    ),
                ),
                ("at", models.DateTimeField()),
                ("email", models.CharField(blank=True, default="", max_length=254)),
                ("device", models.CharField(blank=True, default="", max_length=60)),
            ],
        ),
        migrations.CreateModel(
            name="SentMail",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("purpose", models.CharField(max_length=24)),
                ("account", models.BigIntegerField(null=True)),
                ("email", models.CharField(max_length=64)),
                ("source", models.CharField(blank=True, default="", max_length=64)),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.AddField(
            model_name="apitoken",
            name="fresh_until",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="apitoken",
            name="session",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="apitoken",
            name="user_agent",
            field=models.CharField(blank=True, db_default="", default="", max_length=200),
        ),
        migrations.RunPython(mark_sessions, migrations.RunPython.noop),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(
                models.Func(
                    models.Func(
                        models.Func(
                            models.Func(
                                models.Func(
                                    models.Func(
                                        models.Func(
                                            django.db.models.functions.text.Lower("username"),
                                            output_field=models.CharField(),
                                            template="REPLACE(%(expressions)s, '-', '')",
                                        ),
                                        output_field=models.CharField(),
                                        template="REPLACE(%(expressions)s, '_', '')",
                                    ),
                                    output_field=models.CharField(),
                                    template="REPLACE(%(expressions)s, '0', 'o')",
                                ),
                                output_field=models.CharField(),
                                template="REPLACE(%(expressions)s, '1', 'l')",
                            ),
                            output_field=models.CharField(),
                            template="REPLACE(%(expressions)s, 'i', 'l')",
                        ),
                        output_field=models.CharField(),
                        template="REPLACE(%(expressions)s, 'rn', 'm')",
                    ),
                    output_field=models.CharField(),
                    template="REPLACE(%(expressions)s, 'vv', 'w')",
                ),
                name="player_by_username_skeleton",
            ),
        ),
        migrations.AddField(
            model_name="knowndevice",
            name="player",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="recoverycode",
            name="player",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="securityevent",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddIndex(
            model_name="sentmail",
            index=models.Index(fields=["account", "at"], name="sent_mail_of_account"),
        ),
        migrations.AddIndex(
            model_name="sentmail",
            index=models.Index(fields=["email", "at"], name="sent_mail_to_email"),
        ),
        migrations.AddIndex(
            model_name="sentmail",
            index=models.Index(fields=["source", "at"], name="sent_mail_by_source"),
        ),
        migrations.AddIndex(
            model_name="sentmail",
            index=models.Index(fields=["at"], name="sent_mail_by_age"),
        ),
        migrations.AddConstraint(
            model_name="knowndevice",
            constraint=models.UniqueConstraint(
                fields=("player", "address", "device"), name="known_device_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="recoverycode",
            constraint=models.UniqueConstraint(fields=("player", "digest"), name="recovery_code_once"),
        ),
        migrations.AddIndex(
            model_name="securityevent",
            index=models.Index(fields=["at"], name="security_event_by_age"),
        ),
        migrations.AddConstraint(
            model_name="securityevent",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "email_changed",
                            "password_changed",
                            "second_factor_added",
                            "second_factor_removed",
                            "new_device",
                        ],
                    )
                ),
                name="security_event_kind_is_known",
            ),
        ),
    ]
