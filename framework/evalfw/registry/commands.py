"""Commands that installed plugins add to the command line."""

from __future__ import annotations

import logging

import typer

from evalfw.errors import PluginError
from evalfw.registry.catalog import Catalog
from evalfw.registry.hooks import Listeners
from evalfw.registry.loading import load


def plugin_commands() -> dict[str, typer.Typer]:
    """Load every installed hook plugin and ask it for commands; one that fails is reported and left out."""
    listeners = Listeners()
    for plugin in Catalog.scan().of_kind("plugin"):
        try:
            found = load(plugin)
            listeners.add(found() if isinstance(found, type) else found, plugin.name)
        except PluginError as error:
            logging.getLogger("evalfw").warning(str(error))
    return listeners.commands()
