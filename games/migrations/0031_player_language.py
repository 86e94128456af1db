"""Add the language of a player's mails and push messages."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0024_delete_never_started_matches")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="language",
            field=models.CharField(blank=True, db_default="", default="", max_length=2),
        ),
    ]
