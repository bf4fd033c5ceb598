"""Counts the machine instructions that the process of a solution executes, outside the kernel.

By `perf`: a counter of the processor, which the process that watches the solution attaches to it, out of its reach.

By `callgrind`: the process of the solution runs under valgrind from its first instruction, and callgrind counts from
`measure` on. It is told so by a request, a sequence of instructions that valgrind recognises and that does nothing
elsewhere.
"""

from __future__ import annotations

import ctypes
import fcntl
import gc
import math
import os
import re
import struct
from mmap import PROT_EXEC, PROT_READ, PROT_WRITE, mmap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    from evalfw import Program

    Settings = Mapping[str, str]

# From linux/perf_event.h.
_SYSCALL = {"x86_64": 298, "aarch64": 241}
_HARDWARE, _INSTRUCTIONS = 0, 1
_TIMES = 3  # how long it was to count, and how long it did
_DISABLED, _INHERIT, _EXCLUDE_KERNEL, _EXCLUDE_HYPERVISOR = 1 << 0, 1 << 1, 1 << 5, 1 << 6
_ENABLE, _DISABLE = 0x2400, 0x2401

# From valgrind.h and callgrind.h, which promise never to change them.
_RUNNING_ON_VALGRIND = 0x1001
_DUMP, _START, _STOP = 0x4354_0000, 0x4354_0004, 0x4354_0005
_REQUEST = bytes.fromhex(
    "4889f8"  # mov rax, rdi: the request with its arguments
    "31d2"  # xor edx, edx: the answer, where there is no valgrind
    "48c1c703 48c1c70d 48c1c73d 48c1c733"  # rol rdi by 3, 13, 61 and 51, which is once around
    "4887db"  # xchg rbx, rbx
    "4889d0 c3"  # mov rax, rdx; ret
)
_OUT = "callgrind.out"


def prepare(settings: Settings) -> None:
    """See whether the processor counts."""
    if settings["source"] == "perf":
        os.close(open_counter(0))


def launch(settings: Settings) -> list[str]:
    """The command that Python is started under; empty for none."""
    if settings["source"] == "perf":
        return []
    quiet = ["-q", "--vgdb=no", "--main-stacksize=67108864"]
    return [settings["command"], "--tool=callgrind", *quiet, "--instr-atstart=no", f"--callgrind-out-file={_OUT}"]


def observe(processes: Callable[[], list[int]], settings: Settings) -> Generator[float, bool, dict[str, int]]:
    """The number by perf, in all threads of the process and in the processes that it starts."""
    if settings["source"] != "perf":
        yield math.inf
        return {}
    counter = open_counter(processes()[0])
    fcntl.ioctl(counter, _ENABLE)
    yield math.inf
    fcntl.ioctl(counter, _DISABLE)
    count, wanted, counted = struct.unpack("3Q", os.read(counter, 24))
    if counted < wanted:
        raise OSError("the counter was shared with others for a part of the time")
    return {"instructions": count}


def measure(program: Program, settings: Settings) -> dict[str, int]:
    """The number by callgrind, in all threads of the process."""
    if settings["source"] == "perf":
        gc.collect()
        gc.freeze()
        program.run()
        return {}
    request = _requests()
    if not request(_RUNNING_ON_VALGRIND):
        raise OSError("the process does not run under valgrind")
    owner = os.getpid()
    gc.collect()
    gc.freeze()
    request(_START)
    program.run()
    request(_STOP)
    if os.getpid() != owner:  # a copy of the process that the solution made has nothing to report
        os._exit(0)
    request(_DUMP)
    with open(f"{_OUT}.1", encoding="utf-8") as file:
        found = re.findall(r"^totals: (\d+)$", file.read(), re.MULTILINE)
    return {"instructions": int(found[-1])}


def open_counter(pid: int) -> int:
    """Descriptor of a counter of a process, which does not count yet; 0 is this process.

    Raises:
        OSError: There is none.
    """
    machine = os.uname().machine
    if os.uname().sysname != "Linux" or machine not in _SYSCALL:
        raise OSError(f"perf is not known for {os.uname().sysname} on {machine}")
    flags = _DISABLED | _INHERIT | _EXCLUDE_KERNEL | _EXCLUDE_HYPERVISOR
    attributes = struct.pack("=2I5Q", _HARDWARE, 64, _INSTRUCTIONS, 0, 0, _TIMES, flags).ljust(64, b"\0")
    libc = ctypes.CDLL(None, use_errno=True)
    words = [ctypes.c_long(word) for word in (pid, -1, -1, 0)]
    counter: int = libc.syscall(ctypes.c_long(_SYSCALL[machine]), attributes, *words)
    if counter < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"perf_event_open: {os.strerror(number)}")
    return counter


def _requests() -> Callable[[int], int]:
    memory = mmap(-1, len(_REQUEST), prot=PROT_READ | PROT_WRITE | PROT_EXEC)
    memory.write(_REQUEST)
    code = ctypes.c_char.from_buffer(memory)
    call = ctypes.PYFUNCTYPE(ctypes.c_ulong, ctypes.c_void_p)(ctypes.addressof(code))

    def request(number: int, _code: ctypes.c_char = code) -> int:  # holds the memory as long as it can be called
        arguments = (ctypes.c_ulong * 6)(number)
        answer: int = call(ctypes.addressof(arguments))
        return answer

    return request
