from __future__ import annotations

import errno
import os
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalfw.sandbox.inside import seccomp
from evalfw.sandbox.inside.seccomp import Processes, build_filter, for_process

ALLOW, REFUSE, NO_SUCH_CALL, KILL = 0x7FFF0000, 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS, 0x80000000
PID = 4321


class Machine:
    """Runs a filter as the kernel does."""

    def __init__(self, name: str, monkeypatch: pytest.MonkeyPatch, processes: Processes = "none") -> None:
        uname = os.uname_result(("Linux", "host", "6.1", "#1", name))
        monkeypatch.setattr(os, "uname", lambda: uname)
        self.index = ("x86_64", "aarch64").index(name)
        self.program = for_process(build_filter(processes), PID)

    def __call__(self, number: int | None, *words: int, architecture: int | None = None) -> int:
        assert number is not None
        data = struct.pack(
            "<iIQ6Q",
            number,
            seccomp._ARCHITECTURES[self.index] if architecture is None else architecture,
            0,
            *(word & (1 << 64) - 1 for word in (*words, *[0] * (6 - len(words)))),
        )
        steps = list(struct.iter_unpack("<HBBI", self.program))
        at, value = 0, 0
        while True:
            code, yes, no, k = steps[at]
            at += 1
            if code == 0x20:
                (value,) = struct.unpack_from("<I", data, k)
            elif code == 0x54:
                value &= k
            elif code == 0x06:
                return int(k)
            else:
                holds = {0x15: value == k, 0x35: value >= k, 0x45: bool(value & k)}[code]
                at += yes if holds else no


@pytest.fixture(params=["x86_64", "aarch64"])
def machine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(request.param, monkeypatch)


def test_dangerous_calls_are_refused(machine: Machine) -> None:
    for name, numbers in seccomp._CALLS.items():
        if numbers[machine.index] is not None:
            assert machine(numbers[machine.index]) == REFUSE, name


@given(number=st.integers(0, 500))
def test_all_other_calls_are_allowed(number: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        machine = Machine("x86_64", patch, "any")
        special = {
            seccomp._CLONE,
            seccomp._CLONE3,
            seccomp._PRLIMIT,
            seccomp._SOCKETPAIR,
        }
        if number not in {numbers[0] for numbers in (*seccomp._CALLS.values(), *special)}:
            assert machine(number) == ALLOW


def test_threads_are_allowed_and_processes_are_not(machine: Machine) -> None:
    clone = seccomp._CLONE[machine.index]
    assert machine(clone, 0x3D0F00) == ALLOW  # what pthread_create asks for
    assert machine(clone, 0x1200011) == REFUSE  # what fork asks for
    assert machine(seccomp._CLONE3[machine.index]) == NO_SUCH_CALL


def test_instruments_may_fork_but_not_into_namespaces(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine("x86_64", monkeypatch, "copies")
    assert machine(56, 0x1200011) == ALLOW
    assert machine(57) == ALLOW
    for namespace in (0x20000, 0x80, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
        assert machine(56, 17 | namespace) == REFUSE
    assert machine(59) == REFUSE


def test_where_all_is_its_own_a_solution_may_start_and_signal_what_it_likes(machine: Machine) -> None:
    machine.program = for_process(build_filter("any"), PID)
    assert machine(seccomp._CLONE[machine.index], 0x1200011) == ALLOW
    assert machine(seccomp._CLONE[machine.index], 17 | 0x20000) == REFUSE
    assert machine(seccomp._PROGRAMS["execve"][machine.index]) == ALLOW
    assert machine(seccomp._KILL[machine.index], -1, 15) == ALLOW


@pytest.mark.parametrize(("target", "answer"), [(PID, ALLOW), (0, ALLOW), (-1, REFUSE), (1, REFUSE), (-PID, REFUSE)])
def test_signals_reach_nobody_else(machine: Machine, target: int, answer: int) -> None:
    assert machine(seccomp._KILL[machine.index], target, 15) == answer
    assert machine(seccomp._TGKILL[machine.index], target, 1, 15) == answer


@pytest.mark.parametrize(
    ("family", "kind", "answer"),
    [(1, 1, ALLOW), (1, 1 | 0o2004000, ALLOW), (1, 2, REFUSE), (1, 5, REFUSE), (2, 1, REFUSE)],
)
def test_pairs_of_sockets_are_streams(machine: Machine, family: int, kind: int, answer: int) -> None:
    assert machine(seccomp._SOCKETPAIR[machine.index], family, kind) == answer


def test_calls_of_other_architectures_end_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine("x86_64", monkeypatch)
    assert machine(1, architecture=0x40000003) == KILL
    assert machine(1 | 0x40000000) == REFUSE


def test_an_unknown_machine_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "uname", lambda: os.uname_result(("Linux", "host", "6.1", "#1", "riscv64")))
    with pytest.raises(OSError, match="riscv64"):
        build_filter("none")
