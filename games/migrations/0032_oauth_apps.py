"""Add apps of third parties, what players authorize them to do, and their codes and tokens.

The new columns of tokens and webhooks are empty for all existing rows, and their partial indexes are created
without locking the tables: the previous release runs meanwhile. Going back deletes the tokens and webhooks of
apps, which the previous release would take for those of the players themselves.
"""

from typing import Any

import django.db.models.deletion
import django.utils.timezone
import games.identity.app_models
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from games.migrations._online import AddIndexOnline


def delete_what_is_of_apps(apps: Any, editor: BaseDatabaseSchemaEditor) -> None:
    """Delete the tokens and webhooks of apps, and the events that the previous release does not know."""
    alias = editor.connection.alias
    apps.get_model("games", "Webhook").objects.using(alias).filter(authorization__isnull=False).delete()
    apps.get_model("games", "ApiToken").objects.using(alias).filter(authorization__isnull=False).delete()
    apps.get_model("games", "SecurityEvent").objects.using(alias).filter(kind="app_authorized").delete()


class Migration(migrations.Migration):
    atomic = False

    dependencies = [
        ("games", "0036_turn_attempts"),
    ]

    operations = [
        migrations.CreateModel(
            name="Authorization",
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
                        default=games.identity.app_models.new_authorization_id,
                        editable=False,
                        max_length=20,
                        unique=True,
                    ),
                ),
                ("scopes", models.CharField(max_length=120)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("last_used_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name="OAuthApp",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "client_id",
                    models.CharField(
                        default=games.identity.app_models.new_client_id,
                        editable=False,
                        max_length=40,
                        unique=True,
                    ),
                ),
                ("name", models.CharField(max_length=50)),
                ("website", models.CharField(blank=True, default="", max_length=300)),
                ("redirect_uris", models.JSONField(default=list)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("stopped_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name": "app",
                "verbose_name_plural": "apps",
            },
        ),
        migrations.CreateModel(
            name="OAuthCode",
            fields=[
                ("digest", models.CharField(max_length=128, primary_key=True, serialize=False)),
                ("scopes", models.CharField(max_length=120)),
                ("redirect_uri", models.CharField(max_length=500)),
                ("code_challenge", models.CharField(max_length=43)),
                ("expires_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(null=True)),
                ("family", models.CharField(blank=True, default="", max_length=128)),
            ],
            options={
                "verbose_name": "authorization code",
            },
        ),
        migrations.CreateModel(
            name="OAuthRefreshToken",
            fields=[
                ("family", models.CharField(max_length=128, primary_key=True, serialize=False)),
                ("digest", models.CharField(max_length=128)),
                ("access_digest", models.CharField(max_length=128)),
                ("scopes", models.CharField(max_length=120)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField()),
            ],
            options={
                "verbose_name": "refresh token",
            },
        ),
        migrations.RemoveConstraint(
            model_name="securityevent",
            name="security_event_kind_is_known",
        ),
        migrations.AlterField(
            model_name="securityevent",
            name="kind",
            field=models.CharField(
                choices=[
                    ("email_changed", "Email Changed"),
                    ("password_changed", "Password Changed"),
                    ("second_factor_added", "Second Factor Added"),
                    ("second_factor_removed", "Second Factor Removed"),
                    ("new_device", "New Device"),
                    ("app_authorized", "App Authorized"),
                ],
                max_length=24,
            ),
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
                            "app_authorized",
                        ],
                    )
                ),
                name="security_event_kind_is_known",
            ),
        ),
        migrations.AddField(
            model_name="authorization",
            name="player",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="authorizations",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="apitoken",
            name="authorization",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="tokens",
                to="games.authorization",
            ),
        ),
        migrations.AddField(
            model_name="webhook",
            name="authorization",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="webhooks",
                to="games.authorization",
            ),
        ),
        migrations.AddField(
            model_name="oauthapp",
            name="owner",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="oauth_apps",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="authorization",
            name="app",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="authorizations",
                to=settings.OAUTH2_PROVIDER_APPLICATION_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="oauthcode",
            name="authorization",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="codes", to="games.authorization"
            ),
        ),
        migrations.AddField(
            model_name="oauthrefreshtoken",
            name="authorization",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="refresh_tokens",
                to="games.authorization",
            ),
        ),
        migrations.AddIndex(
            model_name="oauthapp",
            index=models.Index(fields=["owner", "-created_at"], name="oauth_app_of_owner"),
        ),
        migrations.AddConstraint(
            model_name="authorization",
            constraint=models.UniqueConstraint(fields=("player", "app"), name="authorization_once"),
        ),
        migrations.AddConstraint(
            model_name="authorization",
            constraint=models.CheckConstraint(
                condition=models.Q(("scopes__contains", "bot:play"), _negated=True),
                name="authorization_is_of_a_person",
            ),
        ),
        migrations.AddIndex(
            model_name="oauthcode",
            index=models.Index(fields=["expires_at"], name="oauth_code_by_age"),
        ),
        migrations.AddIndex(
            model_name="oauthrefreshtoken",
            index=models.Index(fields=["expires_at"], name="oauth_refresh_by_age"),
        ),
        AddIndexOnline(
            model_name="apitoken",
            index=models.Index(
                condition=models.Q(("authorization__isnull", False)),
                fields=["authorization"],
                name="token_of_authorization",
            ),
        ),
        AddIndexOnline(
            model_name="webhook",
            index=models.Index(
                condition=models.Q(("authorization__isnull", False)),
                fields=["authorization"],
                name="webhook_of_authorization",
            ),
        ),
        migrations.RunPython(migrations.RunPython.noop, delete_what_is_of_apps),
    ]
