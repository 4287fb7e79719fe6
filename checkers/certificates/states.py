"""The states of a closed exploration as a file: gzip of lines, the first of which is JSON, the others a state each.

A state is a number: its cells, in the order of the protocol's variables and of the values of their keys, are the
digits, the first cell the least; a digit is the place of the cell's value among the values of its kind, from 0, in the
order of `World.values`, and its base how many values there are. It is written in hexadecimal; the numbers ascend.
"""

from __future__ import annotations

import gzip
import itertools
import json
import operator
import zlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import IO, Any

from fencepost.files import DENSEST, FREE, open_regular
from fencepost.model.language import Protocol, State, Term, Valuation, World
from fencepost.model.language.interpreter import initial
from fencepost.model.language.nodes import Get
from fencepost.model.language.walk import nodes

Codes = tuple[int, ...]
"""A state: of each variable the code of its contents, in the order of the variables."""
FORMAT = 1
"""The version of the format."""


class NotCertified(Exception):
    """A certificate that cannot be read or is about something else (`refused`), or does not hold: in one sentence."""

    def __init__(self, message: str, refused: bool = False) -> None:
        super().__init__(message)
        self.refused = refused


@dataclass(frozen=True)
class Certificate:
    """The result of an exploration of a protocol at a bound: counts and verdicts in the words of its document.

    `fired` and `out_of_range` count steps, and firings that lead out of a range, by row. `claims` are the verdicts by
    property; `deadlock` says that a state without an enabled row was looked for.
    """

    protocol: str
    table_hash: str
    bound: str
    sizes: Mapping[str, int]
    distinct: int
    transitions: int
    depth: int
    fired: Mapping[str, int]
    out_of_range: Mapping[str, int]
    claims: Mapping[str, str]
    deadlock: bool


_TYPES = {one.name: {"str": str, "int": int, "bool": bool}.get(str(one.type), dict) for one in fields(Certificate)}


class Numbering:
    """The states of a world as numbers, and as tuples of codes: a code is the contents of a variable.

    It is the number of the variable's cells by themselves, or a negative one where a cell is outside its range, which
    is so at a moment alone.
    """

    def __init__(self, protocol: Protocol, world: World) -> None:
        self.states = protocol.states
        self.places = {state: place for place, state in enumerate(self.states)}
        self.cells = [(s, keys) for s in self.states for keys in itertools.product(*map(world.values, s.keys))]
        self.keys = {state: [keys for one, keys in self.cells if one is state] for state in self.states}
        kinds = dict.fromkeys(state.kind for state in self.states)
        self._values = {kind: world.values(kind) for kind in kinds}
        self._places = {kind: {value: n for n, value in enumerate(self._values[kind])} for kind in kinds}
        self._sizes = [len(self._values[state.kind]) ** len(self.keys[state]) for state in self.states]
        self._weights = [1, *itertools.accumulate(self._sizes, operator.mul)]
        self._outside: dict[frozenset[Any], int] = {}
        self._decoded: dict[tuple[State[Any], int], Mapping[Any, Any]] = {}

    def picking(self, variables: Collection[State[Any]]) -> Callable[[Codes], Any]:
        """Return what picks the codes of some variables from those of a state."""
        places = sorted(self.places[one] for one in variables)
        return itemgetter(*places) if places else lambda _: ()

    def code(self, variable: State[Any], cells: Mapping[Any, Any]) -> int:
        """Return the code of a variable's contents, by the keys of the cells that differ from their initial value."""
        places, keys = self._places[variable.kind], self.keys[variable]
        whole = {**(dict.fromkeys(keys, initial(variable)) if variable.initial is not None else {}), **cells}
        if len(whole) == len(keys) and all(value in places for value in whole.values()):
            return sum(places[whole[one]] * len(places) ** n for n, one in enumerate(keys))
        code = self._outside.setdefault(frozenset(cells.items()), -1 - len(self._outside))
        self._decoded[variable, code] = {(variable, keys): value for keys, value in cells.items()}
        return code

    def number(self, state: Valuation) -> int:
        """Return the number of a state all of whose cells are inside their ranges; raises `KeyError` for another."""
        whole = {cell: initial(cell[0]) for cell in self.cells if cell[0].initial is not None} | dict(state)
        if len(whole) > len(self.cells):
            raise KeyError("a cell outside the keys of its variable")
        number = 0
        for cell in reversed(self.cells):
            places = self._places[cell[0].kind]
            number = number * len(places) + places[whole[cell]]
        return number

    def codes(self, number: int) -> Codes:
        """Return the codes of a state by its number; raises `ValueError` for a number that is none's."""
        if number >= self._weights[-1]:
            raise ValueError("greater than the number of any state")
        found = []
        for size in self._sizes:
            number, code = divmod(number, size)
            found.append(code)
        return tuple(found)

    def difference(self, codes: Codes, contents: Iterable[tuple[int, int]]) -> int | None:
        """Return by how much a state's number grows with other contents of some variables, None outside a range."""
        pairs = [*contents]
        if any(code < 0 for _, code in pairs):
            return None
        by: int = sum((code - codes[place]) * self._weights[place] for place, code in pairs)
        return by

    def contents(self, codes: Codes, variables: Iterable[State[Any]]) -> dict[Any, Any]:
        """Return the cells of some variables in the state with these codes, but those that have their initial value."""
        cells: dict[Any, Any] = {}
        for variable in variables:
            code = codes[self.places[variable]]
            if (variable, code) not in self._decoded:
                self._decoded[variable, code] = self._cells(variable, code)
            cells |= self._decoded[variable, code]
        return cells

    def _cells(self, variable: State[Any], code: int) -> Mapping[Any, Any]:
        values, found = self._values[variable.kind], {}
        for keys in self.keys[variable]:
            code, place = divmod(code, len(values))
            found[variable, keys] = values[place]
        return dict(Valuation(found))

    def state(self, number: int) -> Valuation:
        """Return the state with a number; raises `ValueError` for one that is none's."""
        return Valuation(self.contents(self.codes(number), self.states))


@cache
def variables(*terms: Term[Any]) -> frozenset[State[Any]]:
    """Return the variables that terms read, at whatever moment."""
    return frozenset(node.state for node in nodes(*terms) if isinstance(node, Get))


def write(raw: IO[bytes], certificate: Certificate, numbers: Iterable[int]) -> None:
    """Write a certificate to a stream."""
    with gzip.GzipFile(fileobj=raw, mode="wb", filename="", mtime=0) as file:
        file.write(json.dumps({"fencepost certificate": FORMAT, **asdict(certificate)}).encode() + b"\n")
        file.writelines(b"%x\n" % number for number in sorted(numbers))


def _unpacked(path: Path) -> bytes:
    """Return what a file unpacks to; raises `OSError`, and `NotCertified` for more than a certificate has."""
    found = bytearray()
    with open_regular(path) as packed, gzip.GzipFile(fileobj=packed) as file:
        while block := file.read(1 << 20):
            found += block
            if len(found) > FREE + DENSEST * packed.tell():
                raise NotCertified(
                    f"{path}: unpacks to more than {DENSEST} times its size, which no certificate does: write it anew",
                    refused=True,
                )
    return bytes(found)


def read(path: Path) -> tuple[Certificate, Sequence[int]]:
    """Return a certificate and the numbers of its states, ascending; raises `NotCertified` for what is no such file."""
    try:
        first, *lines = _unpacked(path).splitlines()
        head = json.loads(first)
        version = head.pop("fencepost certificate")
        if version != FORMAT:
            raise NotCertified(f"{path}: is of format {version}, and {FORMAT} is read: write it anew", refused=True)
        if {name: type(value) for name, value in head.items()} != _TYPES:
            raise ValueError("another head")
        if any(type(n) is not int for name in ("sizes", "fired", "out_of_range") for n in head[name].values()):
            raise ValueError("another head")
        numbers = [int(line, 16) for line in lines]
    except OSError as error:
        why = error.strerror or "it is not compressed as one"
        raise NotCertified(f"{path}: cannot be read as a certificate: {why}", refused=True) from error
    except (EOFError, RecursionError, zlib.error) as error:
        raise NotCertified(f"{path}: is cut off or altered: write it anew", refused=True) from error
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise NotCertified(f"{path}: is no certificate of this format: write it anew", refused=True) from error
    if any(one >= other for one, other in itertools.pairwise(numbers)):
        raise NotCertified(f"{path}: its states do not ascend, as if one were there twice: write it anew", refused=True)
    return Certificate(**head), numbers
