"""A plugin that cannot be imported."""

import not_installed_library
