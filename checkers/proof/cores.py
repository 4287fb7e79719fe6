"""Recorded cores: the few hypotheses that were enough for an obligation, tried before all others.

A core only chooses among the hypotheses that a proof may use anyway, and a proof with fewer of them is a proof. So
whatever a file says, right, outdated or wrong, can turn "unknown" into "proved" and no other verdict into another;
a core that does not suffice any more costs one short attempt. Variants use the cores of their base. A file names the
version of the solver with which it was recorded: another one may need other hypotheses.

A file may also say which attempt proved an obligation that the first did not, its *way*: it is tried before the others,
which follow where it does not prove it any more. And it may have an obligation's *slice*: hypotheses, and the marks of
the definitions that suffice beside them, which are a few of the hundreds that the changes of a row rely on. A slice is
tried before everything else, and chooses among what is given anyway, as a core does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeVar

from fencepost.model.language import Protocol

from .row_groups import RowGroup

T = TypeVar("T")

Pair = tuple[str, str]
"""The ids of a row and of a property."""
Core = tuple[str, ...]
"""The ids of properties and assumptions that suffice, as hypotheses, for a row to keep a property."""

FOLDER = Path("spec", "proofs")
ROOT = Path(__file__).resolve().parents[2]
SOLVER, WAYS, SLICES = "solver", "ways", "slices"
"""The keys of a file's version of the solver, of its ways and of its slices; the others are a row and a property, a
space between.
"""
MARK = 4
"""The characters of a definition's mark (`Definitions.mark`)."""
_SHAPE = 'an object with "row property" as keys and lists of ids as values is expected'


@dataclass(frozen=True)
class Slice:
    """What suffices for an obligation: the ids of hypotheses, and the marks of definitions."""

    hypotheses: Core
    marks: frozenset[str]


@dataclass(frozen=True)
class Recorded:
    """The cores of a protocol, none where none were recorded, and the version of the solver at their recording.

    `ways` has for an obligation the position in `FIRST` of the attempt that proved each of its goals, `slices` what
    suffices for it. `wrong` says why a file cannot be used.
    """

    cores: Mapping[Pair, Core] = field(default_factory=dict)
    wrong: str = ""
    solver: str = ""
    ways: Mapping[Pair, tuple[int, ...]] = field(default_factory=dict)
    slices: Mapping[Pair, Slice] = field(default_factory=dict)


def path_of(protocol: Protocol) -> Path:
    """Return where the cores of a protocol are, or of the one of which it is a variant, below the repository."""
    return _path((protocol.base or protocol).name)


@cache
def _path(name: str) -> Path:
    return FOLDER / f"{re.split('[+@]', name)[0]}.json"


def recorded(protocol: Protocol) -> Recorded:
    """Return what is recorded for a protocol; a file that cannot be read counts as none, and says so."""
    return _read(ROOT, path_of(protocol))


@cache
def _read(root: Path, path: Path) -> Recorded:
    if not (root / path).exists():
        return Recorded()
    try:
        found = json.loads((root / path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return Recorded(wrong=f"{path} cannot be read: {str(error).splitlines()[0]}")
    if not isinstance(found, dict):
        return Recorded(wrong=f"{path}: {_SHAPE}")
    cores: dict[Pair, Core] = {}
    solver = found.pop(SOLVER, "")
    if not isinstance(solver, str):
        return Recorded(wrong=f"{path}, {SOLVER!r}: the version of the solver as a text is expected")
    ways = found.pop(WAYS, {})
    if not isinstance(ways, dict) or not all(
        " " in key and isinstance(way, list) and all(type(one) is int for one in way) for key, way in ways.items()
    ):
        return Recorded(
            wrong=f'{path}, {WAYS!r}: an object with "row property" as keys and lists of numbers is expected'
        )
    slices = found.pop(SLICES, {})
    if not isinstance(slices, dict) or not all(
        " " in key and isinstance(one, list) and len(one) == 2 and all(isinstance(part, str) for part in one)
        for key, one in slices.items()
    ):
        return Recorded(
            wrong=f'{path}, {SLICES!r}: an object with "row property" as keys and pairs of texts is expected'
        )
    for key, names in found.items():
        pair = pair_of(key)
        if not pair[1] or not isinstance(names, list) or not all(isinstance(one, str) for one in names):
            return Recorded(wrong=f"{path}, {key!r}: {_SHAPE}")
        cores[pair] = tuple(names)
    return Recorded(
        cores,
        solver=solver,
        ways={pair_of(key): tuple(way) for key, way in ways.items()},
        slices={pair_of(key): _slice(*one) for key, one in slices.items()},
    )


def _slice(hypotheses: str, marks: str) -> Slice:
    parted = (marks[start : start + MARK] for start in range(0, len(marks), MARK))
    return Slice(tuple(hypotheses.split()), frozenset(parted))


def pair_of(key: str) -> Pair:
    """Return the ids of a row and of a property in a key of a file; the latter is empty where there is no blank."""
    row, _, property_ = key.partition(" ")
    return row, property_


def with_groups(cores: Mapping[Pair, T], groups: Iterable[RowGroup]) -> Mapping[Pair, T]:
    """Return cores, or slices, with those of rows that are asked once for several: that of the first that has one."""
    shared: dict[Pair, T] = {}
    for one in groups:
        for member in one.members:
            for (row, property_), core in cores.items():
                if row == member.id:
                    shared.setdefault((one.row.id, property_), core)
    return {**cores, **shared}


def text(
    cores: Mapping[Pair, Core],
    solver: str,
    ways: Mapping[Pair, tuple[int, ...]] | None = None,
    slices: Mapping[Pair, Slice] | None = None,
) -> str:
    """Return cores, ways and slices as the text of a file: one line an obligation, sorted, so that a change of one is
    one line.

    The first line is the version of the solver with which they were recorded.
    """
    lines = [f"  {json.dumps(SOLVER)}: {json.dumps(solver)}"]
    if ways:
        each = ",\n".join(f"    {json.dumps(' '.join(pair))}: {list(way)}" for pair, way in sorted(ways.items()))
        lines.append(f"  {json.dumps(WAYS)}: {{\n{each}\n  }}")
    if slices:
        texts = {pair: [" ".join(one.hypotheses), "".join(sorted(one.marks))] for pair, one in slices.items()}
        each = ",\n".join(f"    {json.dumps(' '.join(pair))}: {json.dumps(one)}" for pair, one in sorted(texts.items()))
        lines.append(f"  {json.dumps(SLICES)}: {{\n{each}\n  }}")
    lines += [f"  {json.dumps(' '.join(pair))}: {json.dumps(sorted(core))}" for pair, core in sorted(cores.items())]
    return "{\n" + ",\n".join(lines) + "\n}\n"
