"""How Django knows this app."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Players and their games."""

    name = "games"
    verbose_name = "Haggis"
