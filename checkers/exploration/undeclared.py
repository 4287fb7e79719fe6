"""What bounds would have to declare: `python -m fencepost.checkers.exploration.undeclared PROTOCOL [BOUND ...]`.

It explores the bounds of a protocol and prints, ready to be put into its `not_for.py`, the properties that nothing puts
to the test there and of which the bound does not say so, with what was found as the reason; and those that a bound says
it is not for although it shows them. The author of a line may find better words for the reason.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from fencepost.model.language import Protocol
from fencepost.model.registry import find

from .engine import explore
from .result import Exploration


def reasons(found: Exploration) -> Iterator[tuple[str, str]]:
    """Yield the properties that a bound does not say it is not for, each with what kept it from the test."""
    for one in found.properties:
        if one.vacuity is None or one.not_for:
            continue
        match one.vacuity.because:
            case "rows":
                yield one.id, f"none of its rows fires: {', '.join(one.vacuity.what[:4])}"
            case "given":
                yield one.id, f"what is assumed decides, {one.vacuity.what[0]}"
            case "unchanged":
                yield one.id, f"nothing changes {', '.join(one.vacuity.what)}"
            case _:
                yield one.id, f"nothing meets {one.vacuity.what[0]}"


def undeclared(bounds: Iterable[tuple[str, Protocol]]) -> Iterator[str]:
    """Yield a line for each reason, with its properties and its bounds, then one for each property that is shown
    nevertheless."""
    by_reason: dict[tuple[str, str], list[str]] = {}
    nevertheless: dict[str, list[str]] = {}
    for bound, protocol in bounds:
        found = explore(protocol, bound, engine="numpy")
        for id, reason in reasons(found):
            by_reason.setdefault((id, reason), []).append(bound)
        for id in found.shown_nevertheless:
            nevertheless.setdefault(id, []).append(bound)
    together: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (id, reason), at in by_reason.items():
        together.setdefault((reason, tuple(at)), []).append(id)
    for (reason, names), ids in together.items():
        yield f'    not_for({reason!r}, "{" ".join(ids)}", "{" ".join(names)}"),'
    for id, shown in nevertheless.items():
        yield f"# {id} is shown at {' '.join(shown)}"


def main(arguments: list[str]) -> None:
    """Print what the bounds of a protocol would have to declare, all of them or those that are named."""
    name, *only = arguments
    bounds = [(bound, one) for bound, one in find(name).bounds.items() if not only or bound in only]
    for line in undeclared(bounds):
        print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
