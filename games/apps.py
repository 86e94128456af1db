"""How Django knows this app."""

from django.apps import AppConfig
from django.conf import settings
from django.core import checks


class GamesConfig(AppConfig):
    """Players and their games."""

    name = "games"
    verbose_name = "Haggis"

    def ready(self) -> None:
        """Set the engine up, and connect what happens in matches with what follows from it."""
        # Only now, since tasks need the models.
        from games.api.schema.checks import routes_are_described  # noqa: PLC0415
        from games.gateway.memory import set_memory_limit  # noqa: PLC0415
        from games.matches.publish import subscribe  # noqa: PLC0415
        from games.services.accounts.mails import deliver_by  # noqa: PLC0415
        from games.tasks.mails import post  # noqa: PLC0415
        from games.tasks.news import tell_streams  # noqa: PLC0415
        from games.tasks.nudges import nudge_workers  # noqa: PLC0415

        set_memory_limit(settings.HAGGIS_ENGINE_MEGABYTES)
        checks.register(routes_are_described)
        subscribe(nudge_workers)
        subscribe(tell_streams)
        deliver_by(post)
