"""`python -m tests.cases DIR`: run every case folder below DIR.

Prints one line per case: its id and pass, fail with the difference, or skip with the reason. Exits with 1 if a case
fails. A case folder holds a `case.json` with `id`, `kind`, `input` and `expected`, and the files it names.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.cases.case import Case, Skip
from tests.cases.kinds import KINDS


def main(folder: Path) -> int:
    failed = 0
    files = sorted(folder.rglob("case.json"))
    if not files:
        sys.exit(f"no case.json below {folder}")
    for file in files:
        case = Case.read(file)
        try:
            differences = KINDS[case.kind](case) if case.kind in KINDS else [f"unknown kind {case.kind!r}"]
        except Skip as reason:
            print(f"{case.id} skip: {reason}")
            continue
        except Exception as error:  # one broken case must not hide the others
            differences = [f"{type(error).__name__}: {error}"]
        print(f"{case.id} pass" if not differences else f"{case.id} fail: " + "; ".join(differences))
        failed += bool(differences)
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tests.cases DIR")
    sys.exit(main(Path(sys.argv[1])))
