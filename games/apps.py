"""Configuration of the app."""

from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.db.models.signals import post_migrate, pre_migrate


class GamesConfig(AppConfig):
    """The Django app of the service."""

    name = "games"
    verbose_name = "Haggis"

    def ready(self) -> None:
        """Configure the engine, register system checks and subscribe to match changes."""
        # Imported here because these modules need the app registry.
        from games.accounts.services.mails import set_mail_sender  # noqa: PLC0415
        from games.accounts.services.security import subscribe_undone_changes  # noqa: PLC0415
        from games.accounts.tasks import enqueue_mail  # noqa: PLC0415
        from games.ai.tasks import dispatch_turn  # noqa: PLC0415
        from games.api.schema.document import describe_webhooks, routes_are_described  # noqa: PLC0415
        from games.gateway.ai import set_memory_limit  # noqa: PLC0415
        from games.matches.publish import publish_to_redis, subscribe  # noqa: PLC0415
        from games.notifications.event_schemas import webhooks  # noqa: PLC0415
        from games.privacy.guards import create_guards, drop_guards  # noqa: PLC0415
        from games.privacy.services import delete_recent_receivers  # noqa: PLC0415
        from games.puzzles.services import load_shipped_puzzles  # noqa: PLC0415

        pre_migrate.connect(drop_guards, sender=self)
        post_migrate.connect(create_guards, sender=self)
        post_migrate.connect(load_shipped_puzzles, sender=self)
        describe_webhooks(webhooks)
        set_memory_limit(settings.HAGGIS_ENGINE_MEGABYTES)
        checks.register(routes_are_described)
        subscribe(dispatch_turn, service_turns_only=True)
        subscribe(publish_to_redis)
        set_mail_sender(enqueue_mail)
        subscribe_undone_changes(delete_recent_receivers)
