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
        from games.accounts.services.mails import set_mail_sender  # noqa: PLC0415
        from games.accounts.tasks import enqueue_mail  # noqa: PLC0415
        from games.api.schema.document import describe_webhooks, routes_are_described  # noqa: PLC0415
        from games.gateway.ai import set_memory_limit  # noqa: PLC0415
        from games.matches.publish import nudge_workers, publish_to_redis, subscribe  # noqa: PLC0415
        from games.notifications.operations import webhooks  # noqa: PLC0415

        describe_webhooks(webhooks)
        set_memory_limit(settings.HAGGIS_ENGINE_MEGABYTES)
        checks.register(routes_are_described)
        subscribe(nudge_workers)
        subscribe(publish_to_redis)
        set_mail_sender(enqueue_mail)
