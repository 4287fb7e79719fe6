"""Two measurements of the proofs compared: which verdicts another version of the solver changed, and what it costs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fencepost.checkers.verdicts import ExitCode, Refusal

COUNTS = ("obligations", "proved", "expected", "unknown")
"""Counts that must be the same under every version of the solver."""


def earlier(path: Path) -> Mapping[str, Any]:
    """Return the figures of `prove` in a document that `fencepost bench prove --json` printed.

    Raises `Refusal` for a file that cannot be read or that is no such document.
    """
    write = "give a document of fencepost bench prove --json"
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        [found] = [one for one in document["benchmarks"] if one["name"] == "prove"]
        return {
            "solver": str(found["solver"]),
            "protocols": {
                str(name): {"cpu_s": float(one["cpu_s"]), **{count: one.get(count) for count in COUNTS}}
                for name, one in found["protocols"].items()
            },
        }
    except OSError as error:
        raise Refusal(f"--against {path}: cannot be read ({error.strerror}); {write}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refusal(f"--against {path}: is no document of that command; {write}") from error


def compared(before: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[list[str], ExitCode]:
    """Return a line for each protocol that both measured, and whether the two solvers count the same.

    Each argument has `solver`, a solver with its version, and `protocols`, which have `COUNTS` and `cpu_s` by name.
    """
    lines, code = [f"{before['solver']} before, {now['solver']} now"], ExitCode.AS_DECLARED
    both = [name for name in now["protocols"] if name in before["protocols"]]
    if not both:
        return [*lines, "no protocol was measured by both"], ExitCode.INCONCLUSIVE
    for name in both:
        old, new = before["protocols"][name], now["protocols"][name]
        moved = [f"{old.get(one)} {one} before, {new.get(one)} now" for one in COUNTS if old.get(one) != new.get(one)]
        if moved:
            code = ExitCode.DISAGREEMENT
        ratio = new["cpu_s"] / old["cpu_s"] if old["cpu_s"] else float("inf")
        lines.append(f"{name}: {'; '.join(moved) or 'the same verdicts'}; {ratio:.2f} times the CPU time")
    return lines, code


__all__ = ["COUNTS", "compared", "earlier"]
