"""Bundled profilers: one module a plugin, and beside it the instrument that is loaded into the sandbox."""
