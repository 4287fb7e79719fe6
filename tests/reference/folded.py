"""A run as whoever has only its trace knows it: the header's cells, and after every step all that have changed."""

from collections.abc import Iterable, Iterator
from typing import Any

from fencepost.traces.design_steps import DesignStep, Header, header_line, step_line

Known = dict[str, dict[tuple[int, ...], Any]]
"""The cells by variable, then by keys."""


def first(header: Header) -> Known:
    """Return the cells of a header."""
    known: Known = {}
    for variable, keys, value in header.settings["initial"]:
        known.setdefault(variable, {})[tuple(keys)] = value
    return known


def folded(header: Header, steps: Iterable[DesignStep]) -> Iterator[tuple[Known, DesignStep, Known]]:
    """Yield every step with the cells before it and after it."""
    after = first(header)
    for step in steps:
        before = {name: dict(cells) for name, cells in after.items()} if step.changed else after
        for variable, keys, value in step.changed:
            after.setdefault(variable, {})[keys] = value
        yield before, step, after


def text_of(header: Header, steps: Iterable[DesignStep]) -> str:
    """Return the trace as it would be written."""
    return header_line(header) + "".join(map(step_line, steps))
