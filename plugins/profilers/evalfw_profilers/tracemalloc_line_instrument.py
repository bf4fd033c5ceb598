"""Samples, before every executed line of a solution, the bytes that tracemalloc attributes to it.

Paper A, section 4.2: the bytes of all live blocks whose newest frame at allocation is `<contestant>`. Walking the
table of traces at every line would give that number, would take milliseconds, and would disturb it: what the walk
makes and frees is taken over, uncounted, by the solution. So the table is hardly ever walked. In bytes, U is all that
is traced, R what belongs to the solution, X what belongs to other Python code (the standard library, `exec` of a
string), OWN what belongs to this file and the runner; U = R + OWN + X, always.

- U is read from the interpreter's own counter. OWN is constant: from the first line on this file keeps no new object
  and leaves none on a free list. That forbids lists, tuples, floats and calls that pack their arguments; notes go
  into mapped memory, which tracemalloc does not see.
- A block can enter X only while a foreign frame is the newest one, and that takes a `call` event of such a frame or
  a return to one. Until then X = 0 and R = U - OWN exactly, and while U stays the same there is nothing to do.
- After foreign code R is at most U - OWN. While that cannot be a new level of the profile, there is nothing to do.
  Otherwise a forked child, which may be disturbed, walks the table, and from then on R = U - OWN - X again. If X was
  not 0, a second walk before the next foreign frame proves that it stayed so all the time, since X could only fall.

A program in which no foreign frame runs needs no fork. Where R could not be proved, it is bounded: from above by
U - OWN, or by how much X fell between two walks, from below by what was proved or walked before; the record says how
far off a value can be. With scope `inclusive`, R is U - OWN at all times, and nothing of this is needed.
"""

from __future__ import annotations

import ctypes
import gc
import re
import sys
import threading
from _thread import _count as count_threads
from _thread import get_ident
from _tracemalloc import _get_object_traceback, _get_traces, get_traced_memory, is_tracing
from _tracemalloc import start as start_tracing
from _tracemalloc import stop as stop_tracing
from array import array
from contextlib import suppress
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR
from itertools import cycle
from mmap import MAP_ANONYMOUS, MAP_PRIVATE, mmap
from os import _exit, getpid, kill, waitpid
from pathlib import Path
from signal import SIG_IGN, SIGCHLD, SIGKILL, signal
from sys import getrecursionlimit, gettrace, settrace
from time import monotonic_ns, sleep
from types import CodeType
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import FrameType

    from evalfw import Program

    Record: TypeAlias = dict[str, int | float | str | list[int] | None]
    Settings: TypeAlias = Mapping[str, Any]
    Local: TypeAlias = Callable[[FrameType, str, Any], Any]  # of typeshed

# Functions are kept under names of our own, so that a solution cannot replace them under our feet.
_trace_threads, _threads_traced = threading.settrace, threading.gettrace
_fork = ctypes.PyDLL(None).fork  # os.fork would run Python code in its at-fork handlers

SOLUTION = "<contestant>"

WALK_BUDGET = 4_000_000
"""Work for table walks in one run, in traces that are looked at: about two seconds, but the same on a busy machine.
After half of it walks become rare, after all of it R is estimated with the last known X; in both cases only bounds
are known."""

_FORK = 3000  # what making a child costs, in traces

_PAUSE = 0.0001
_PATIENCE_NS = 10_000_000_000  # a child hangs if it was made while another thread held a lock of the allocators
_GC_HEADER = 16  # bytes before every object that the garbage collector knows
_SPARE_BYTES = 56  # of the head of a list, or of a pair, with that header
_RESUMABLE = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR
_INTERPRETER = re.compile(r"/(lib)?python3?[^/]*$")
_READ = 0x100  # PyBUF_READ
_OFFSET = 1000  # counts begin here: from 257 to 2**60 every int is a new object of the same size
_CAPACITY = 1 << 23  # new maxima; mapped memory is only addresses until it is filled

# Numbers that may be small live in mapped memory: U at the first line; the greatest rise of U; R at the first line;
# work spent on walks; U at the last one; its child; flags; the last U; U if polled; how far R may be above and below
# what was taken for it; the rise of R that is sure, where it is loose; the line at work, negative if another has been
# at work since the last sample; and then: how far U has come, the largest rise by one line, and that line.
_FLOOR, _TOTAL, _FIRST, _SPENT, _WALKED, _WALKER = range(6)
_FOREIGN, _HIDDEN, _LAST, _POLLED, _ABOVE, _BELOW, _SURE = range(6, 13)
_AT, _REACHED, _MOST, _CULPRIT = range(13, 17)

# The memory that is shared with the children: R; by how much X fell; how many traces there were; whether the walk is
# done; whether one ever took a list from a free list; and at the end of it X by places, which are lines, hashed.
_FOUND, _FALLEN, _LOOKED_AT, _DONE, _REFUSED = range(5)
_PLACES = 4096

_REHEARSAL = """
from io import BytesIO, TextIOWrapper
from posixpath import join
from threading import Thread
from time import sleep

def count(n):
    for i in range(n):
        yield [i]

def deep(n):
    return deep(n - 1) if n else join("a", "b")

kept = [join(*["a"] * 100), deep(100)]
for item in count(3000):
    kept.append((item, str(item)))
thread = Thread(target=deep, args=(3,))
thread.start()
thread.join()
sleep(0.05)
try:
    kept[10000]
except IndexError as error:
    print(error, file=TextIOWrapper(BytesIO(), "utf-8"), flush=True)
"""

_counter: int | None = None


def prepare(settings: Settings) -> None:
    """Find the counter, and let the interpreter do what it does only the first time that code is traced."""
    global _counter  # noqa: PLW0603
    _counter = _find_counter()
    code = compile(_REHEARSAL, SOLUTION, "exec")
    space = {"__name__": "__main__"}
    _follow(lambda: exec(code, space), settings)


def measure(program: Program, settings: Settings) -> Record:
    """The profile of one run, or `{"tampered": reason}` where the solution disturbed the measurement.

    In a profile, `runs` is flat: rise in quanta, then number of samples, for each run of equal values; `end` and
    `uncertainty` are in quanta too. `lines` has the line of the solution that made each rise, 0 for the first run and
    where it has no number; it is None where one sample stands for several lines.
    """
    if "start_new_thread" in _names(program.code):
        return {"tampered": "_thread.start_new_thread is used, whose threads cannot be traced"}
    gc.collect()
    gc.freeze()
    return _follow(program.run, settings)


class _Tracer:
    """The trace functions and what they know. Whatever changes is an object of the same size before and after."""

    __slots__ = (
        "at", "bare", "base", "block", "blocks", "call", "due", "home", "inclusive", "known", "last", "line", "lines",
        "local", "loose", "mixed", "now", "open_frames", "pair", "quantum", "rise", "sampled", "shared", "slack",
        "spare", "step", "steps", "top", "values", "words",
    )  # fmt: skip

    def __init__(self, settings: Settings) -> None:
        stride, quantum = settings["stride"], settings["quantum"]
        self.words = _memory(4096).cast("q")
        self.shared = memoryview(mmap(-1, 8 * (_PLACES + 512))).cast("q")
        self.last = self.words[_LAST : _LAST + 1]
        self.at = self.words[_AT : _AT + 1]
        self.now = self.words[_POLLED : _POLLED + 1] if _counter is None else _view(_counter, 8).cast("q")
        self.pair: tuple[int, int] | None = None
        self.inclusive = settings["scope"] == "inclusive"
        self.bare = settings["frame_objects"] == "subtract"
        self.quantum = quantum
        self.slack = quantum - quantum // 2 - 1  # this much above a level still rounds to it
        self.due = cycle(b"\1" + bytes(stride - 1))
        for _ in range(stride):  # a cycle fills a list in its first round
            next(self.due)
        self.step, self.block = 0, _OFFSET  # the number of samples is step + 256 * (block - _OFFSET)
        self.rise = _OFFSET  # plus the number of new maxima, which are noted at these positions:
        self.steps = _memory(_CAPACITY)
        self.blocks = _memory(4 * _CAPACITY).cast("i")
        self.values = _memory(8 * _CAPACITY).cast("q")  # the rise of R
        self.lines = _memory(4 * _CAPACITY).cast("i")  # who made it
        self.open_frames = _OFFSET  # plus the number of frames of the solution that have not returned
        self.top = _OFFSET  # the largest U that cannot be a new level
        self.base = _OFFSET  # U less the rise of R since the first line, when last known
        self.known = True  # whether R is known to be U less a constant
        self.mixed = False  # whether X may ever have changed
        self.loose = False  # whether X may have risen unseen, so that R is known only where the table is walked
        self.home = get_ident()
        self.spare: list[None] | None = None
        self.sampled = self._on_event if _counter else self._on_polled_event
        self.line = self.sampled if stride == 1 else self._on_any_event
        self.call, self.local = self._on_call, self._on_first_event

    def traced(self) -> int:
        """U."""
        if _counter is None:
            self._poll()
        return self.now[0]

    def _poll(self) -> None:
        """Ask for U. The answer is a pair, which takes the place of the one before, and no other from a free list."""
        self.pair = None
        self.pair = get_traced_memory()
        self.now[0] = self.pair[0]

    def _on_call(self, frame: FrameType, event: str, arg: object) -> Local | None:
        """A frame begins or goes on."""
        code = frame.f_code
        if code.co_filename == SOLUTION:
            self.open_frames += 1
            if self.bare:
                self._leave_out(frame.__sizeof__() + _GC_HEADER)
            if code.co_flags & _RESUMABLE:  # may go on in the middle of a line, of which there is no event
                self._turn_to(frame)
            return self.local
        if self.local is self.line and not self.inclusive:
            self.words[_FOREIGN] = 1
            self._note_total(self.traced())
            self._doubt(frame)
            if get_ident() != self.home:  # from now on frames take turns without an event
                self._loosen()
        return None

    def _on_first_event(self, frame: FrameType, event: str, arg: object) -> Local:
        """The first line: the baseline, and clean free lists whatever ran before."""
        if event == "line":
            self.words[_FIRST] = _solution_bytes()
            self.local = self.line
            self.spare = []
            # New objects of the same value: what replaces them from now on is traced, so they have to be.
            self.block += 0
            self.rise += 0
            self.base += 0
            self.top += 0
            gc.collect()  # also sets the collector's counters to 0
            self.traced()  # if it is polled, from now on there is a pair
            self.words[_FLOOR] = self.traced()
            self.base, self.top = self.words[_FLOOR], self.words[_FLOOR]  # two objects
        return self.line(frame, event, arg)

    def _on_any_event(self, frame: FrameType, event: str, arg: object) -> Local:
        """Of all lines only some are sampled."""
        if event == "line" and not next(self.due):
            return self.line
        return self.sampled(frame, event, arg)

    def _on_polled_event(self, frame: FrameType, event: str, arg: object) -> Local:
        """U has to be asked for."""
        if event == "line":
            self._poll()
        return self._on_event(frame, event, arg)

    def _on_event(self, frame: FrameType, event: str, arg: object) -> Local:
        """Local trace function of the solution's frames."""
        if event == "line":
            if self.step == 255:
                self.step = 0
                self.block += 1
                if self.mixed and not self.block - _OFFSET & self.block - _OFFSET - 1:
                    self._doubt(None)  # at 1, 2, 4, ...: now and then, see what has become of X
            else:
                self.step += 1
            if self.now != self.last:  # compares memory, makes no int
                value = self.now[0]
                self.last[0] = value
                if value > self.top:
                    self._rise(value)
            self.at[0] = frame.f_lineno
        elif event == "return":
            self.open_frames -= 1
            if not frame.f_trace_lines:
                self.words[_HIDDEN] = 1
            caller = frame.f_back
            foreign = caller is None or caller.f_code.co_filename != SOLUTION
            self._turn_to(self._beneath(caller) if foreign else caller)
            if self.bare:
                self._leave_out(-frame.__sizeof__() - _GC_HEADER)
            if foreign and not self.inclusive:
                self._doubt(None)
        return self.line

    def _turn_to(self, frame: FrameType | None) -> None:
        """Another line goes on, if known. Of those since the last sample, note the one that has raised U most."""
        words = self.words
        line, value = words[_AT], self.traced()
        next_line = (frame and frame.f_lineno) or abs(line)
        if value > self.top:
            if line > 0:
                words[_REACHED] = self.top
                words[_MOST] = 0
                words[_CULPRIT] = line
            raised = value - words[_REACHED]
            if raised > words[_MOST]:
                words[_MOST] = raised
                words[_CULPRIT] = abs(line)
            if raised > 0:
                words[_REACHED] = value
            next_line = -next_line
        elif line < 0:
            next_line = -next_line
        words[_AT] = next_line

    def _beneath(self, caller: FrameType | None) -> FrameType | None:
        """The frame of the solution that foreign frames came from, if there is one.

        Those frames have objects, since they were called under trace. Frames beneath the solution have none, and must
        not get any, as they would by being looked at.
        """
        if self.open_frames == _OFFSET or get_ident() != self.home:
            return None
        while caller and caller.f_code.co_filename != SOLUTION:
            caller = caller.f_back
        return caller

    def _leave_out(self, size: int) -> None:
        """The object of a frame of the solution came into U and R, and is not to be seen there."""
        words = self.words
        words[_FLOOR] += size
        self.base += size
        words[_FIRST] += size
        self.top += size
        words[_REACHED] += size
        words[_LAST] = -1

    def _rise(self, value: int) -> None:
        """U may mean a new maximum of R."""
        if self.mixed and not self._resolve(value):
            return
        if value > self.top and self.rise < _CAPACITY:
            words = self.words
            line = words[_AT]
            if line < 0:  # not alone
                line = words[_CULPRIT] if value - words[_REACHED] < words[_MOST] else -line
            self.lines[self.rise] = line
            self.top = value
            self.values[self.rise] = value - self.base
            self.steps[self.rise] = self.step
            self.blocks[self.rise] = self.block
            self.rise += 1

    def _resolve(self, value: int) -> bool:
        """Make R known; False if that is not worth its cost."""
        self._note_total(value)
        if not self.known and not self._look(value):
            return False
        if self.loose:
            self._widen(_BELOW, value - self.base - self.words[_SURE])
        return True

    def _look(self, value: int) -> bool:
        """Make R known by a walk, unless walks have become too dear to make one for so small a rise of U."""
        words = self.words
        if words[_SPENT] > WALK_BUDGET // 2 and value - words[_WALKED] < (value - words[_FLOOR]) // 16:
            self._widen(_ABOVE, value - self.top + self.slack)
            return False
        if self._walk(None):
            self.base = value - self.shared[_FOUND] + words[_FIRST]
            if self.loose and value - self.base > words[_SURE]:
                words[_SURE] = value - self.base
        else:
            self._loosen()
        words[_WALKED] = value
        self.known = True
        self.top += self.base - words[_FLOOR]
        if self.loose:  # X may fall, and nobody will know
            self._widen(_ABOVE, self.base - words[_FLOOR])
        return True

    def _doubt(self, entered: FrameType | None) -> None:
        """X may change from now on. So far it could only fall, but for what came with a frame that was `entered`."""
        words = self.words
        if not self.known:
            return
        foreign = self.base - words[_FLOOR]
        if foreign > words[_ABOVE] and not self.loose:
            self._widen(_ABOVE, self.shared[_FALLEN] if self._walk(entered) else foreign)
        self.known, self.mixed = False, True
        level = self.top - self.base + self.quantum // 2
        self.top = words[_FLOOR] + level - level % self.quantum + self.slack
        words[_LAST] = -1

    def _loosen(self) -> None:
        """X may rise unseen from now on. It is not known at present."""
        if not self.loose:
            self.loose = True
            self.words[_SURE] = self.top - self.slack - self.words[_FLOOR]

    def _widen(self, side: int, excess: int) -> None:
        """R may be so much above or below what is taken for it."""
        if excess > self.words[side]:  # noqa: PLR1730 - max() would pack its arguments
            self.words[side] = excess

    def last_rise(self) -> int:
        """R at present over R at the first line; needs no walk where no foreign frame ran."""
        if self.words[_FOREIGN] or self.words[_WALKER]:
            return _solution_bytes() - self.words[_FIRST]
        return self.traced() - self.words[_FLOOR]

    def _note_total(self, value: int) -> None:
        rise = value - self.words[_FLOOR]
        if rise > self.words[_TOTAL]:  # noqa: PLR1730 - max() would pack its arguments
            self.words[_TOTAL] = rise

    def _walk(self, entered: FrameType | None) -> bool:
        """Let a child walk the table: R, and by how much X has fallen since the last walk. False if it could not."""
        words, shared = self.words, self.shared
        if words[_SPENT] > WALK_BUDGET:
            return False
        shared[_DONE] = 0
        pid = _fork()
        if pid == 0:
            try:
                before = self.now[0]
                # _get_traces takes a list from the free list, if possible, before it copies the table: let it be this.
                self.spare = None
                shared[_REFUSED] |= self.now[0] < before
                _survey(shared, entered)
                shared[_DONE] = 1
            finally:
                _exit(0)
        if pid < 0:
            return False
        words[_WALKER] = pid
        deadline = monotonic_ns() + _PATIENCE_NS
        while not shared[_DONE]:
            if monotonic_ns() > deadline:
                kill(pid, SIGKILL)
                return False
            sleep(_PAUSE)
        words[_SPENT] += shared[_LOOKED_AT] + _FORK
        return True


def _follow(run: Callable[[], None], settings: Settings) -> Record:
    """Run under a new tracer."""
    owner, threads, limit = getpid(), count_threads(), getrecursionlimit()
    # Threads take turns where they wait, not where the clock says: a child would wait for its turn in vain.
    sys.setswitchinterval(100)
    tracer = _Tracer(settings)
    reaping = signal(SIGCHLD, SIG_IGN)  # the children that walk leave no zombies
    gc.collect()
    start_tracing(1)
    witness = bytearray(1000)
    _trace_threads(tracer.call)
    settrace(tracer.call)
    run()
    found = gettrace()
    settrace(None)
    if getpid() != owner:  # a copy of the process that the solution made has nothing to report
        _exit(0)
    last_rise = tracer.last_rise()
    fault = _fault(tracer, found, min(limit, getrecursionlimit()))
    if not is_tracing() or _get_object_traceback(witness) is None:
        fault = "tracemalloc was stopped, restarted or cleared"
    elif not fault and count_threads() > threads:
        fault = "threads of the program were still running at its end"
    stop_tracing()
    _trace_threads(None)
    if tracer.words[_WALKER]:
        with suppress(ChildProcessError):
            waitpid(tracer.words[_WALKER], 0)
    signal(SIGCHLD, reaping)
    return {"tampered": fault} if fault else _record(tracer, last_rise)


def _fault(tracer: _Tracer, found: object, recursion_limit: int) -> str | None:
    """What disturbed the trace function, given the one that was found at the end."""
    open_frames = tracer.open_frames - _OFFSET
    if found is None and open_frames > recursion_limit // 2:
        return "the recursion limit was reached, where Python removes the trace function"
    if found is not tracer.call or _threads_traced() is not tracer.call:
        return "the trace function was removed or replaced"
    if open_frames or tracer.words[_HIDDEN]:
        return "frames or lines were hidden from the trace function"
    if tracer.local is not tracer.line:
        return "no line of the program was executed"
    if tracer.rise == _CAPACITY:
        return f"memory rises more than {_CAPACITY - _OFFSET} times; a larger stride is needed"
    return None


def _record(tracer: _Tracer, last_rise: int) -> Record:
    words, quantum, half = tracer.words, tracer.quantum, tracer.quantum // 2
    noted = slice(_OFFSET, tracer.rise)
    notes = (notes[noted] for notes in (tracer.values, tracer.steps, tracer.blocks, tracer.lines))
    runs, lines, rise, level, start = [], [0], 0, 0, 1
    for value, step, block, line in zip(*notes, strict=True):
        new_level = (value + half) // quantum
        if new_level > level:
            sample = step + 256 * (block - _OFFSET)
            runs += [rise, sample - start]
            lines.append(line)
            rise, level, start = new_level - level, new_level, sample
    runs += [rise, tracer.step + 256 * (tracer.block - _OFFSET) + 1 - start]
    total = (words[_TOTAL] + half) // quantum
    # A walk may have taken a list from a free list, and who polls cannot see that, and takes a pair.
    spares = _SPARE_BYTES * (2 if _counter is None else tracer.shared[_REFUSED])
    return {
        "runs": runs,
        "lines": lines if tracer.line is tracer.sampled else None,
        "uncertainty": -(-(max(words[_ABOVE], words[_BELOW]) + spares) // quantum),
        "coverage": level / total if total > level else 1.0,
        "end": max(0, (last_rise + half) // quantum),
    }


def _solution_bytes() -> int:
    """R, from a walk of the table of traces."""
    return sum(trace[1] for trace in _get_traces() if trace[2][0][0] == SOLUTION)


def _survey(shared: memoryview, entered: FrameType | None) -> None:
    """Note R, what X has at each place, and by how much that has fallen since the last survey, place by place.

    Where a frame has been entered, its object has come.
    """
    traces = _get_traces()  # first of all, before a list of ours is in the free list
    places, found = [0] * _PLACES, 0
    for _, size, ((file, line), *_), *_ in traces:
        if file == SOLUTION:
            found += size
        elif file != __file__:
            places[hash((file, line)) % _PLACES] += size
    before = shared[-_PLACES:].tolist()
    shared[-_PLACES:] = memoryview(array("q", places))
    if entered:
        code = entered.f_code
        first, now = (hash((code.co_filename, line)) % _PLACES for line in (code.co_firstlineno, entered.f_lineno))
        if not code.co_flags & _RESUMABLE:
            before[now] += entered.__sizeof__() + _GC_HEADER
        if first != now:  # an object of the same line, to Python, is of either
            for series in (before, places):
                series[now] += series[first]
                series[first] = 0
    shared[_FOUND], shared[_LOOKED_AT] = found, len(traces)
    shared[_FALLEN] = sum(max(0, was - now) for was, now in zip(before, places, strict=True))


def _names(code: CodeType) -> Iterator[str]:
    """The names that the code of a program uses."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _find_counter() -> int | None:
    """Address of the word in which the interpreter counts traced bytes, or None where it cannot be found.

    Of all its static variables it is the one that rises and falls by the sizes of two blocks as they come and go.
    """
    found = []
    sizes = sys.getsizeof(b"") + 1_234_567, sys.getsizeof(b"") + 7_654
    for address, size in _static_variables():
        variables = _view(address, size).cast("q")
        copies = [_memory(size).cast("q") for _ in range(4)]
        start_tracing(1)
        copies[0][:] = variables
        block = bytes(1_234_567)
        copies[1][:] = variables
        other = bytes(7_654)
        copies[2][:] = variables
        del block, other
        copies[3][:] = variables
        stop_tracing()
        for index, (before, one, two, after) in enumerate(zip(*copies, strict=True)):
            if (one - before, two - one) == sizes and two - after == sum(sizes):
                found.append(address + 8 * index)
    return found[0] if len(found) == 1 else None


def _static_variables() -> Iterator[tuple[int, int]]:
    """Address and size of the memory in which the interpreter keeps its static variables."""
    try:
        maps = Path("/proc/self/maps").read_text(encoding="utf-8").splitlines()
    except OSError:  # not Linux
        return
    end = 0
    for line in maps:
        span, rights, _, _, _, *name = line.split()
        first, last = (int(bound, 16) for bound in span.split("-"))
        # Variables that begin as 0 follow those of the file without a name.
        if rights.startswith("rw") and (_INTERPRETER.search("".join(name)) or (not name and first == end)):
            yield first, last - first
            end = last if name else 0


def _memory(size: int) -> memoryview:
    return memoryview(mmap(-1, size, flags=MAP_PRIVATE | MAP_ANONYMOUS))


def _view(address: int, size: int) -> memoryview:
    """Memory as a view with a native format: comparing two of those makes no object."""
    view = ctypes.pythonapi.PyMemoryView_FromMemory
    view.restype, view.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_ssize_t, ctypes.c_int)
    found: memoryview = view(address, size, _READ)
    return found
