"""How Django knows this app."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Players and their games."""

    name = "games"
    verbose_name = "Haggis"

    def ready(self) -> None:
        """Connect what happens in matches with what follows from it."""
        # Only now, since tasks need the models.
        from games.services.accounts.mails import deliver_by  # noqa: PLC0415
        from games.services.announce import listen  # noqa: PLC0415
        from games.tasks.mails import post  # noqa: PLC0415
        from games.tasks.nudges import tell  # noqa: PLC0415

        listen(tell)
        deliver_by(post)
