"""The output of TLC: counts, the outcome, and error traces with their values read back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from fencepost.model.language import State
from fencepost.model.language.kinds import EnumKind, Kind, ListKind, OptionKind, SetKind

_TOKEN = re.compile(r'\s*(<<|>>|\|->|:>|@@|\.\.|[\[\](){},]|"[^"]*"|-?\d+|[A-Za-z_]\w*)')
_DEADLOCK = "Deadlock reached."
_DEFINITION = re.compile(r"<expression line \d+, col \d+ to line \d+, col \d+ of module \w+>")
"""The output of TLC in place of the values of a function that it has not evaluated."""


@dataclass(frozen=True)
class Output:
    """A run's output: counts (None where TLC printed none), what was violated, and the states of the trace.

    `violated` is the name of an invariant or an action property, `"a temporal property"` where TLC does not say which,
    and None otherwise. `deadlock` says that TLC's own check found a state without a successor. Each state of the trace
    has the name of the action that led there, empty for the first.
    """

    version: str
    java: str
    distinct: int | None
    generated: int | None
    depth: int | None
    finished: bool
    violated: str | None
    deadlock: bool
    error: str | None
    trace: tuple[tuple[str, Mapping[str, Any]], ...]


def parse(text: str) -> Output:
    """Return what TLC's output says; values of a trace are in TLA+'s terms (see `parse_value`)."""
    counts = re.findall(r"^([\d,]+) states generated, ([\d,]+) distinct states found", text, re.MULTILINE)
    generated, distinct = (_number(counts[-1][0]), _number(counts[-1][1])) if counts else (None, None)
    depth = re.search(r"^The depth of the complete state graph search is ([\d,]+)\.", text, re.MULTILINE)
    version = re.search(r"^TLC2 Version (\S+)", text, re.MULTILINE)
    java = re.search(r"\(Linux[^,]*, ([^,]+)|, ([\w. -]*\d+\.\d+\.\d+[\w. +-]*) (?:x86_64|amd64|aarch64)", text)
    violated = re.search(
        r"^Error: (?:Invariant|Action property) (\S+) is violated(?: by the initial state)?", text, re.MULTILINE
    )
    temporal = "Temporal properties were violated" in text
    errors = re.findall(r"^(?:Error: )(.+(?:\n(?!Error:|State |\d).+)*)", text, re.MULTILINE)
    errors = [e for e in errors if not e.startswith(("The behavior up to", "The following behavior", _DEADLOCK))]
    other = "; ".join(errors) if errors and not violated and not temporal else None
    parse_error = re.search(r"^(?:\*\*\*Parse Error\*\*\*|Semantic errors:|\*\*\* Errors)", text, re.MULTILINE)
    if parse_error is not None:
        other = text[parse_error.start() : parse_error.start() + 1000]
    refused = ("*** Errors:", "Parsing or semantic analysis failed", "*** Abort")
    if other is None and any(mark in text for mark in refused):
        other = text[text.find("***") :][:2000]
    return Output(
        version.group(1) if version else "",
        next((g.strip() for g in java.groups() if g), "") if java else "",
        distinct,
        generated,
        _number(depth.group(1)) if depth else None,
        "Model checking completed. No error has been found" in text,
        violated.group(1).rstrip(".") if violated else "a temporal property" if temporal else None,
        f"Error: {_DEADLOCK}" in text,
        other,
        _trace(text),
    )


def _number(text: str) -> int:
    return int(text.replace(",", ""))


def _trace(text: str) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    if initial := re.search(r"is violated by the initial state:\n((?:.+\n)+)", text):
        return (("", _assignments(initial.group(1))),)
    found = []
    for label, body in re.findall(r"^(?:State )?\d+: (<[^\n]*>|Stuttering)[^\n]*\n((?:.+\n)*)", text, re.MULTILINE):
        action = label.strip("<>").split(" ")[0]
        if action != "Stuttering":
            found.append(("" if action == "Initial" else action, _assignments(body)))
    return tuple(found)


def _assignments(body: str) -> dict[str, Any]:
    parts = re.split(r"(?:^|\n)\s*/\\ (?=\w+ = )", "\n" + body)
    parts = [p for p in parts if p.strip()]
    found = {}
    for part in parts:
        name, _, value = part.partition(" = ")
        found[name.strip()] = parse_value(value)
    return found


class Name(str):
    """A model value, such as `None`."""


class Unevaluated:
    """A function that TLC prints as its definition, since it has not needed its values: one whose keys are sets."""


def parse_value(text: str) -> Any:
    """Return a TLA+ value: int, bool, str, `Name`, frozenset, tuple for a sequence, dict for a function or a record.

    What TLC has not evaluated is `Unevaluated`, wherever it is. Raises `ValueError` for anything else.
    """
    if _DEFINITION.search(text):
        return Unevaluated()
    tokens = _TOKEN.findall(text)
    value, rest = _value(tokens, 0)
    if rest != len(tokens):
        raise ValueError(f"TLC printed {text.strip()!r}, which is no value that is known here")
    return value


def _value(tokens: list[str], at: int) -> tuple[Any, int]:
    if at >= len(tokens):
        raise ValueError("TLC printed a value that ends too soon")
    token = tokens[at]
    if token == "{":
        items, at = _items(tokens, at + 1, "}")
        return frozenset(_hashable(i) for i in items), at
    if token == "<<":
        items, at = _items(tokens, at + 1, ">>")
        return tuple(items), at
    if token == "[":
        return _record(tokens, at + 1)
    if token == "(":
        return _function(tokens, at + 1)
    if token.startswith('"'):
        return token[1:-1], at + 1
    if token in ("TRUE", "FALSE"):
        return token == "TRUE", at + 1
    if re.fullmatch(r"-?\d+", token):
        if at + 2 < len(tokens) and tokens[at + 1] == "..":
            return frozenset(range(int(token), int(tokens[at + 2]) + 1)), at + 3
        return int(token), at + 1
    return Name(token), at + 1


def _items(tokens: list[str], at: int, closing: str) -> tuple[list[Any], int]:
    items = []
    while tokens[at] != closing:
        value, at = _value(tokens, at)
        items.append(value)
        at += tokens[at] == ","
    return items, at + 1


def _record(tokens: list[str], at: int) -> tuple[dict[Any, Any], int]:
    found = {}
    while tokens[at] != "]":
        name = tokens[at]
        found[name], at = _value(tokens, at + 2)
        at += tokens[at] == ","
    return found, at + 1


def _function(tokens: list[str], at: int) -> tuple[dict[Any, Any], int]:
    found = {}
    while tokens[at] != ")":
        key, at = _value(tokens, at)
        found[key], at = _value(tokens, at + 1)
        at += tokens[at] == "@@"
    return found, at + 1


def _hashable(value: Any) -> Any:
    return tuple(sorted(value.items())) if isinstance(value, dict) else value


def cells(
    state: State[Any], value: Any, entities: Mapping[str, int] = MappingProxyType({})
) -> dict[tuple[State[Any], tuple[Any, ...]], Any]:
    """Return the cells of a variable from its TLA+ value, in the interpreter's values; none of one not evaluated.

    `entities` are the numbers of those that are model values.
    """
    if isinstance(value, Unevaluated):
        return {}
    if not state.keys:
        return {(state, ()): _python(value, state.kind, entities)}
    if isinstance(value, tuple):
        value = dict(enumerate(value, 1))
    found = {}
    for key, one in value.items():
        keys = key if len(state.keys) > 1 else (key,)
        own = tuple(_python(k, kind, entities) for k, kind in zip(keys, state.keys, strict=True))
        found[(state, own)] = _python(one, state.kind, entities)
    return found


def _python(value: Any, kind: Kind[Any], entities: Mapping[str, int]) -> Any:
    if isinstance(value, Name):
        return entities.get(value)
    if isinstance(kind, OptionKind):
        return _python(value, kind.of, entities)
    if isinstance(kind, EnumKind):
        return kind.enum[value]
    if isinstance(kind, SetKind):
        return frozenset(_python(one, kind.of, entities) for one in value)
    if isinstance(kind, ListKind):
        ordered = [value[i] for i in sorted(value)] if isinstance(value, dict) else value
        return tuple(_python(one, kind.of, entities) for one in ordered)
    return value


__all__ = ["Name", "Output", "Unevaluated", "cells", "parse", "parse_value"]
