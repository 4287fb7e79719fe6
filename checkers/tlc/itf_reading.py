"""Runs read from ITF, those of other tools too: the run that a file's states are, as the interpreter replays it.

A file that `itf.py` wrote says the row and the parameters of each step. Where a state does not say it, the rows are
searched for one that leads there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.counterexample import RunWorld, changes, state_json, world_json
from fencepost.checkers.failures import cell_text
from fencepost.checkers.stepping.reading import value_of
from fencepost.checkers.stepping.written import FORMAT, Differs, Reader, keys_of
from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import (
    Bound,
    EvaluationError,
    Execution,
    LeadsTo,
    Protocol,
    Row,
    Valuation,
    Var,
    World,
    WrittenTwice,
    run,
    satisfying,
)
from fencepost.model.language.kinds import BoolKind, EntityKind, EnumKind, Kind, ListKind, OptionKind, SetKind
from fencepost.model.language.render import value_text

from .itf import INSIDE, LOOP_ROW, Json, variable_names

MOST = 10_000
"""The most entities of a sort that a trace may say by their number."""
NUMBER = re.compile(r"-?[0-9]+")
Binding = Mapping[Var[Any], Any]


def is_itf(document: Mapping[str, Any]) -> bool:
    """Return whether a JSON object is a trace in ITF."""
    return isinstance(document.get("vars"), list) and isinstance(document.get("states"), list)


def names_of(document: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """Return the protocol and the bound that a trace names, None where it names none."""
    meta = _meta(document)
    name, bound = (one if isinstance(one, str) else None for one in (meta.get("protocol"), meta.get("bound")))
    return name, bound


def run_of(document: Mapping[str, Any], protocol: Protocol, name: str, bound: str | None) -> dict[str, Any]:
    """Return a trace in ITF as the document of a run of a protocol, which `name` finds, at a bound.

    A trace without end becomes the run through its loop, once. Raises `Refusal` for a trace of other variables or
    values, and `Differs` for a step that no row makes.
    """
    try:
        return _Reading(document, protocol, None if bound is None else protocol.bounds[bound]).run(name, bound)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise Refusal(f"this is no trace in ITF ({type(error).__name__}: {error}); write it again") from error


@dataclass(frozen=True)
class _Said:
    """A state of a trace with what its `#meta` says of the step to it."""

    state: Valuation
    row: str | None
    picks: Mapping[str, Json] | None


class _Reading:
    def __init__(self, document: Mapping[str, Any], protocol: Protocol, bound: Bound | None) -> None:
        self.document, self.protocol, self.bound = document, protocol, bound
        self.meta = _meta(document)
        self.said_world = self._world()
        self.reader = Reader(protocol, {"trace": {"world": self.said_world}})
        self.world = self.reader.world

    def run(self, name: str, bound: str | None) -> dict[str, Any]:
        """Return the run's document."""
        states = list(self._states())
        if "loop" in self.document:
            states += self._loop(states)
        protocol, start = self.protocol, states[0].state
        steps, state = [], start
        inside = _meta(self.document["states"][-1]).get(INSIDE) == "true"
        for number, said in enumerate(states[1:], 1):
            row, binding, done = self._step(number, state, said)
            steps.append(
                {
                    "row": row.id,
                    "event": row.event.name,
                    "binding": {var.name: value_text(value) for var, value in binding.items()},
                    "records": [] if done is None else [[str(one) for one in group] for group in done.records],
                    "answer": None if done is None or done.answer is None else value_text(done.answer),
                    "state": state_json(said.state),
                }
            )
            state = said.state
        shows = self.meta.get("property")
        claim = next((one for one in protocol.properties if one.id == shows), None)
        return {
            "format": FORMAT,
            "protocol": name,
            "bound": bound,
            "table_hash": self.meta.get("table_hash", protocol.hash),
            "shows": None if isinstance(claim, LeadsTo) else shows,
            "trace": {
                "initial": self.meta.get("initial") != "false",
                "world": self.said_world,
                "start": state_json(start),
                "steps": steps,
                "inside_last_row": inside,
                "failure": None,
            },
        }

    def _world(self) -> RunWorld:
        """Return the values that there are, as runs have them: of the trace's sizes, else of the bound's."""
        said, kinds = self.meta.get("sizes"), self.protocol.sized_kinds()
        if said is None:
            if self.bound is None:
                raise Refusal(
                    "the trace has no sizes; name its bound, as in explore PROTOCOL --bound NAME --replay FILE"
                )
            return world_json(World.of(self.bound.sizes, self.protocol.kinds))
        sizes = json.loads(said)
        missing = [one for one in kinds if one not in sizes]
        if missing:
            raise Refusal(f"{self.protocol.name}: the trace has no size of {missing[0]}; it is of another protocol")
        entities = {kind.name for kind in self.protocol.kinds if isinstance(kind, EntityKind)}
        many = [one for one in entities if isinstance(sizes[one], int) and sizes[one] > MOST]
        if many:
            raise Refusal(f"{self.protocol.name}: the trace has {sizes[many[0]]} of {many[0]}, and {MOST:,} are read")
        return {
            "entities": {
                one: [str(x) for x in (range(size) if isinstance(size, int) else size)]
                for one, size in sizes.items()
                if one in entities
            },
            "ranges": {one: [int(end) for end in ends] for one, ends in sizes.items() if one not in entities},
        }

    # -- states ----------------------------------------------------------------------------------------------------
    def _states(self) -> Iterator[_Said]:
        """Yield the states of the trace; raises `Refusal`, with the state, for what is none of the protocol."""
        if not self.document["states"]:
            raise Refusal("the trace has no state")
        names = {}
        for variable, name in variable_names(self.protocol).items():
            if name in self.document["vars"]:
                names[variable] = name
            elif variable.initial is not None:
                raise Refusal(f"{self.protocol.name}: the trace has no variable {name}; it is of another protocol")
        for number, said in enumerate(self.document["states"]):
            cells: dict[Any, Any] = {}
            for variable, name in names.items():
                try:
                    cells |= self._cells(variable, said[name])
                except KeyError as error:
                    raise Refusal(f"{self.protocol.name}: state {number} has no {name}") from error
                except (Refusal, TypeError, ValueError) as error:
                    raise Refusal(f"{self.protocol.name}: state {number}: {name}: {error}") from error
            meta = _meta(said)
            picks = meta.get("picks")
            yield _Said(Valuation(cells), meta.get("row"), None if picks is None else json.loads(picks))

    def _cells(self, variable: Any, said: Json) -> dict[Any, Any]:
        """Return the cells of a variable; raises `Refusal` where it has not one value for each of its keys."""
        if not variable.keys:
            return {(variable, ()): self.value(said, variable.kind)}
        found = {}
        for key, one in _marked(said, "#map"):
            parts = [key] if len(variable.keys) == 1 else _marked(key, "#tup")
            keys = tuple(self.value(part, kind) for part, kind in zip(parts, variable.keys, strict=True))
            if (variable, keys) in found:
                raise Refusal(f"{cell_text((variable, keys))} has two values")
            found[variable, keys] = self.value(one, variable.kind)
        for keys in keys_of(variable, self.world):
            if (variable, keys) not in found:
                raise Refusal(f"{cell_text((variable, keys))} has no value")
        return found

    def value(self, said: Json, kind: Kind[Any]) -> Any:
        """Return a value of ITF as one of a kind; raises `Refusal` for one that is none."""
        match kind:
            case OptionKind():
                if isinstance(said, Mapping) and said.keys() == {"tag", "value"}:
                    return None if said["tag"] == "None" else self.value(said["value"], kind.of)
                inside = _marked(said, "#set")
                if len(inside) > 1:
                    raise Refusal(f"a set of {len(inside)} is no {kind}, which is a set of at most one")
                return self.value(inside[0], kind.of) if inside else None
            case SetKind():
                return frozenset(self.value(one, kind.of) for one in _marked(said, "#set"))
            case ListKind() if isinstance(said, list):
                return tuple(self.value(one, kind.of) for one in said)
            case BoolKind() if isinstance(said, bool):
                return said
            case EnumKind() | EntityKind() if isinstance(said, str):
                return value_of(said, kind, self.world)
            case BoolKind() | EnumKind() | ListKind():
                pass
            case _:
                number = said.get("#bigint") if isinstance(said, Mapping) else said
                if not isinstance(number, bool) and NUMBER.fullmatch(str(number)):
                    return value_of(str(number), kind, self.world)
        raise Refusal(f"{json.dumps(said, ensure_ascii=False)} is no {kind}")

    def _loop(self, states: list[_Said]) -> list[_Said]:
        """Return the state to which a run without end returns, as its last; nothing where it only stays where it is."""
        loop = self.document["loop"]
        if type(loop) is not int or not 0 <= loop < len(states):
            raise Refusal(f"loop {json.dumps(loop)} is no state of the trace, which has {len(states)}")
        back, row = states[loop].state, self.meta.get(LOOP_ROW)
        return [] if row is None and back == states[-1].state else [_Said(back, row, None)]

    # -- steps -----------------------------------------------------------------------------------------------------
    def _step(self, number: int, state: Valuation, said: _Said) -> tuple[Row, Binding, Execution | None]:
        """Return the row of a step, its parameters, and what the interpreter makes of it where it can run it.

        A row and parameters that the trace says are taken as they are, even where the guard is false.
        """
        if said.row is not None and said.picks is not None:
            row, binding = self.reader.move(number, {"row": said.row, "binding": self._texts(said.row, said.picks)})
            try:
                return row, binding, run(row, binding, state, self.world)
            except (EvaluationError, WrittenTwice):
                return row, binding, None
        for row in self.protocol.rows:
            for found in (
                satisfying(self._guard(row), row.params, state, self.world) if row.id == (said.row or row.id) else ()
            ):
                binding = {var: found[var] for var in row.params}
                try:
                    done = run(row, binding, state, self.world)
                except WrittenTwice:
                    continue
                if done.after == said.state:
                    return row, binding, done
        told = "; ".join(changes(state, said.state)) or "nothing changes"
        raise Differs(f"{self.protocol.name}: no row leads from state {number - 1} to state {number}: {told}")

    def _texts(self, id: str, picks: Mapping[str, Json]) -> dict[str, str]:
        """Return the parameters of a row as the text of their values; a set is a list in `picks`."""
        kinds = {var.name: var.kind for row in self.protocol.rows if row.id == id for var in row.params}
        return {name: _text(one, kinds.get(name)) for name, one in picks.items()}

    def _guard(self, row: Row) -> Any:
        return self.protocol.guard(row) if self.bound is None else self.protocol.bounded_guard(row, self.bound)


def _marked(said: Json, mark: str) -> list[Json]:
    """Return what a marked value holds; raises `Refusal` for a value without the mark."""
    inside = said.get(mark) if isinstance(said, Mapping) else None
    if not isinstance(inside, list):
        raise Refusal(f"{json.dumps(said, ensure_ascii=False)} is no {mark}")
    return inside


def _text(said: Json, kind: Kind[Any] | None) -> str:
    """Return a parameter as the text of its value."""
    inside = kind.of if isinstance(kind, OptionKind) and said is not None else kind
    if isinstance(said, list) and isinstance(inside, SetKind):
        return "{" + ", ".join(_text(one, inside.of) for one in said) + "}"
    return value_text(tuple(said) if isinstance(said, list) else said)


def _meta(said: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the `#meta` of a trace or a state, empty where there is none."""
    found = said.get("#meta")
    return found if isinstance(found, Mapping) else {}
