"""Templates and the files of a site.

Texts of models and datasets are escaped by the templates; data that a page's script reads is in an inert block of
JSON. The content security policy of a page allows the scripts of the report and no others: each is marked with a
number that nobody knew when the data was made.
"""

from __future__ import annotations

import json
import re
import secrets
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalfw._version import __version__

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_ASSETS = ("report.css", "theme.js", "charts.js", "overview.js", "problem.js")


class Site:
    """A folder that pages are written to.

    Args:
        out: The folder; it is made where there is none.
        title: Of the whole report.
    """

    def __init__(self, out: Path, title: str) -> None:
        self.out = out
        self.title = title
        self._nonce = secrets.token_urlsafe(16)

    def write_assets(self) -> None:
        """Write what all pages share: style, scripts, and the library that draws."""
        folder = self.out / "assets"
        folder.mkdir(parents=True, exist_ok=True)
        for name in _ASSETS:
            (folder / name).write_bytes(files(__package__).joinpath("assets", name).read_bytes())
        _write_library(folder / "vega.js")

    def write(self, path: str, template: str, data: Any = None, **context: Any) -> None:  # noqa: ANN401
        """Write one page.

        Args:
            path: Of the page, from the folder of the site.
            template: Its name.
            data: Plain data for the script of the page; in the page it is the block with the id `data`.
            context: What the template is given.
        """
        page = self.out / path
        page.parent.mkdir(parents=True, exist_ok=True)
        root = "../" * path.count("/")
        known = {"root": root, "nonce": self._nonce, "site": self.title, "version": __version__, "data": data}
        text = _environment().get_template(template).render(**known, **context)
        # Half surrogate pairs, which answers of models may hold, have no bytes: they are shown as what they are.
        page.write_text(text, encoding="utf-8", errors="backslashreplace")


def slug(name: str, key: str) -> str:
    """A file name for something with any name: what of it is plain, and the head of a key that tells it from others."""
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40]
    return f"{plain or 'problem'}-{key[:8]}"


def inert(data: Any) -> Markup:  # noqa: ANN401
    """Data as JSON that nothing in it can break out of a script element."""
    from markupsafe import Markup

    text = json.dumps(data, allow_nan=False, separators=(",", ":"))  # in ASCII
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("evalfw.report.site"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["inert"] = inert
    return made


def _write_library(path: Path) -> None:
    """Write Vega, unless this version of it is there: bundling takes seconds."""
    import vl_convert

    head = f"/* Vega {vl_convert.get_vega_version()}, bundled by vl-convert {version('vl-convert-python')} */\n"
    if path.is_file():
        with path.open(encoding="utf-8") as file:
            if file.readline() == head:
                return
    library = vl_convert.javascript_bundle()  # type: ignore[call-arg]  # its stub has no default
    path.write_text(head + library, encoding="utf-8")
