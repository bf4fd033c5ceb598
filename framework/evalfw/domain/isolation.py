"""Levels of isolation of the programs under test."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

Level: TypeAlias = Literal["namespaces", "landlock+seccomp", "seccomp+rlimits", "rlimits"]

LEVELS: tuple[Level, ...] = get_args(Level)
"""Best first."""
