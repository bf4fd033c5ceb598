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
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalfw._version import __version__
from evalfw.report.site.library import library

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

_ASSETS = (
    *("report.css", "problem.css", "theme.js", "charts.js", "tables.js", "overview.js"),
    *("texts.js", "profiles.js", "sources.js", "problem.js"),
)


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
        (folder / "vega.js").write_text(library(), encoding="utf-8")

    def write(self, path: str, template: str, data: Any = None, **context: Any) -> None:  # noqa: ANN401
        """Write one page.

        Args:
            path: Of the page, from the folder of the site.
            template: Its name.
            data: Plain data for the script of the page; in the page it is the block with the id `data`.
            context: What the template is given.
        """
        root = "../" * path.count("/")
        known = {"root": root, "nonce": self._nonce, "site": self.title, "version": __version__, "data": data}
        text = _environment().get_template(template).render(**known, **context)
        self.put(path, text)

    def put(self, path: str, text: str) -> None:
        """Write a file that is no page."""
        file = self.out / path
        file.parent.mkdir(parents=True, exist_ok=True)
        # Half surrogate pairs, which answers of models may hold, have no bytes: they are shown as what they are.
        file.write_text(text, encoding="utf-8", errors="backslashreplace")


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
