"""Vega, Vega-Lite and Vega-Embed as one script, as vl-convert has them: no network is needed to get it or to use it."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path


@cache
def library() -> str:
    """The script. Putting it together takes seconds, so it is kept in the cache of the user."""
    import vl_convert

    made_by = f"vl-convert {version('vl-convert-python')}"
    head = f"/* Vega {vl_convert.get_vega_version()}, bundled by {made_by} */\n"
    try:
        kept = _cache() / f"vega-{vl_convert.get_vega_version()}-{version('vl-convert-python')}.js"
    except RuntimeError:  # somebody without a home
        kept = None
    text = _known(kept) if kept else ""
    if text.startswith(head):
        return text
    made: str = head + vl_convert.javascript_bundle()  # type: ignore[call-arg]  # its stub has no default
    if kept:
        _keep(kept, made)
    return made


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "evalfw"


def _known(path: Path) -> str:
    """What is kept; empty where nothing is."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""


def _keep(path: Path, text: str) -> None:
    """Keep it whole, or not at all where nothing can be kept."""
    draft = path.with_suffix(f".{os.getpid()}")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
