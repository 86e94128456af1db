"""Add the columns of suspensions.

They are nullable and have no default, so PostgreSQL does not rewrite the table. It needs an exclusive lock for a
moment, and this migration takes no other, so it cannot deadlock with moves.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0027_moderation")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="suspended_until",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="player",
            name="own_suspension_until",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
