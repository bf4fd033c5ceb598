"""The end of the process."""

from __future__ import annotations

import os
import sys
import threading
from typing import NoReturn


def leave(code: int) -> NoReturn:
    """Exit, without waiting for threads of a model that may hang for ever."""
    if threading.active_count() > 1:  # daemons as well: a pool of the standard library is waited for all the same
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)
