"""Standard input for solutions: the real descriptor, decoded without running Python code.

The ordinary UTF-8 reader runs Python frames of `codecs` for every 8 KiB chunk. A line profiler attributes memory to
the newest frame, so the text that a solution reads would belong to `codecs` and not to the solution that holds it.
For ASCII input a decoder written in C avoids that; other input takes the ordinary reader.
"""

from __future__ import annotations

import _codecs_cn
import _multibytecodec
import codecs
import io


class _AsciiDecoder(_multibytecodec.MultibyteIncrementalDecoder):
    codec = _codecs_cn.getcodec("gbk")  # in C, and maps every ASCII byte to itself


class _Input(io.TextIOWrapper):
    encoding = "utf-8"  # what a solution sees


_utf8 = codecs.lookup("utf-8")
_NAME = "evalfw_ascii"
_info = codecs.CodecInfo(
    _utf8.encode,
    _utf8.decode,
    incrementalencoder=_utf8.incrementalencoder,
    incrementaldecoder=_AsciiDecoder,  # type: ignore[arg-type]
    name="utf-8",
)


def register() -> None:
    """Make the decoder known; once, before the first solution."""
    codecs.register({_NAME: _info}.get)
    codecs.lookup(_NAME)


def open_stdin(ascii_input: bool) -> io.TextIOWrapper:
    """A new text stream over descriptor 0, with `buffer` and `fileno` like any."""
    raw = io.BufferedReader(io.FileIO(0, "r", closefd=False))
    if ascii_input:
        return _Input(raw, encoding=_NAME)
    return io.TextIOWrapper(raw, encoding="utf-8", errors="surrogateescape")
