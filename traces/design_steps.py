"""Event traces of designs that were never built as written (KIP-343, KIP-46, KIP-631): every step of a run, as NDJSON.

The first line is the header: which design, and under which settings. Each other line is one atomic step: what happened,
where, with which parameters, what it answered, and every cell of the design's state that it changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from fencepost.traces.errors import TraceError
from fencepost.traces.event_files import lines_of, write_lines
from fencepost.traces.json_values import object_in, text_in, whole_in

VERSION = 1
"""The version of the format, in every line's `v`."""


class Changed(NamedTuple):
    """A cell that a step changed: the name of the variable, its keys, and the value that it has now.

    Keys are whole numbers; a value is whatever JSON has: a member of a set of brokers is a number in an ascending list,
    no broker is null, a state is its name.
    """

    variable: str
    keys: tuple[int, ...]
    value: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The design of a trace, and its settings by name; times among them are milliseconds."""

    design: str
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignStep:
    """One atomic step of a run: nothing else happens within it, anything may happen between two.

    `time_ms` is the simulated clock, `node` who did it (`controller-1`, `broker-2`, `zookeeper`, `operator`), `name`
    what it was. `answer` is the error or the answer that it gave, empty where there was no request. `changed` has every
    cell whose value is another one after the step, and no others, ordered by variable and keys.
    """

    time_ms: int
    node: str
    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    answer: str = ""
    changed: tuple[Changed, ...] = ()


def header_line(header: Header) -> str:
    """Return the first line of a trace, its end included."""
    columns = {"v": VERSION, "design": header.design, "settings": dict(header.settings)}
    return json.dumps(columns, separators=(",", ":")) + "\n"


def step_line(step: DesignStep) -> str:
    """Return a step as a line of NDJSON, its end included; what is empty is left out."""
    columns: dict[str, Any] = {"v": VERSION, "t_ms": step.time_ms, "node": step.node, "step": step.name}
    if step.parameters:
        columns["parameters"] = dict(step.parameters)
    if step.answer:
        columns["answer"] = step.answer
    if step.changed:
        columns["changed"] = [[one.variable, list(one.keys), one.value] for one in step.changed]
    return json.dumps(columns, separators=(",", ":")) + "\n"


def write_design_trace(path: str | Path, header: Header, steps: Iterable[DesignStep]) -> None:
    """Write a trace as NDJSON, gzipped where the name ends so; the same steps give the same bytes."""
    write_lines(path, (header_line(header), *map(step_line, steps)))


def read_design_trace(path: str | Path) -> tuple[Header, Iterator[DesignStep]]:
    """Return a trace's header and its steps, lazily; raises `TraceError` for what is none, with file and line."""
    lines = lines_of(Path(path))
    first = next(iter(lines), None)
    if first is None:
        raise TraceError(f"{path}: an empty file; give the steps.ndjson of a simulated design")
    number, columns = first
    return _header(columns, f"{path}:{number}"), (_step(found, f"{path}:{line}") for line, found in lines)


def is_design_trace(path: str | Path) -> bool:
    """Whether a file begins as the trace of a design does, or as one that has lost its header."""
    try:
        _, columns = next(lines_of(Path(path)), (0, {}))
    except (TraceError, OSError):
        return False
    return "design" in columns or ("step" in columns and isinstance(columns.get("node"), str))


def _header(columns: Mapping[str, Any], place: str) -> Header:
    design, settings = columns.get("design"), columns.get("settings")
    if columns.get("v") != VERSION or not isinstance(design, str) or not isinstance(settings, dict):
        raise TraceError(f"{place}: no header of a design's trace; its first line says v, design and settings")
    try:
        for one in settings.get("initial", ()):
            _changed(one)
    except (TypeError, ValueError) as error:
        raise TraceError(f"{place}: a cell of `initial` is none, give its variable, keys and value ({error})") from None
    return Header(design=design, settings=settings)


def _step(columns: Mapping[str, Any], place: str) -> DesignStep:
    try:
        if columns["v"] != VERSION:
            raise TraceError(f"{place}: steps of version {columns['v']}; this reads version {VERSION}")
        return DesignStep(
            time_ms=whole_in(columns["t_ms"]),
            node=text_in(columns["node"]),
            name=text_in(columns["step"]),
            parameters=object_in(columns.get("parameters", {})),
            answer=text_in(columns.get("answer", "")),
            changed=tuple(_changed(one) for one in columns.get("changed", ())),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise TraceError(f"{place}: this line is no step of a design ({error!r})") from None


def _changed(value: Any) -> Changed:
    variable, keys, now = value
    return Changed(text_in(variable), tuple(map(whole_in, keys)), now)
