"""The application that holds the project's own commands and start-up checks."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"
    label = "config"
    verbose_name = "Countersign"
