"""What holds for every test."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator

import pytest

# Who starts the tests in the background of a script lets Ctrl-C be ignored, and that is handed down to all processes.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="module")
def _no_thread_is_left_that_the_process_would_wait_for() -> Iterator[None]:
    """A hanging thread would let all tests pass and the process never end."""
    before = set(threading.enumerate())
    yield
    left = [thread for thread in set(threading.enumerate()) - before if not thread.daemon]
    for thread in left:  # of a pool that was told to end, and is about to
        thread.join(5)
    assert not [thread.name for thread in left if thread.is_alive()]
