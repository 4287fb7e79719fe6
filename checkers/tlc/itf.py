"""Runs in ITF, the JSON format for traces that Apalache, Quint and their readers share (ADR 015 of Apalache).

Every number is a `#bigint`, an option a set of at most one element, and every state has every variable: what the
readers of Quint, itf-py and the crate itf all take. What is ours is in `#meta`, as text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import Any

from fencepost.checkers.stepping import WrittenRun, WrittenStep
from fencepost.checkers.stepping.written import keys_of
from fencepost.model.language import Protocol, Sometimes, State, Valuation
from fencepost.model.language.kinds import BoolKind, EntityKind, EnumKind, Kind, ListKind, MapKind, OptionKind, SetKind

from .names import Globals, fresh, identifier

FORMAT_DESCRIPTION = "https://apalache-mc.org/docs/adr/015adr-trace.html"
ACTION, PICKS = "mbt::actionTaken", "mbt::nondetPicks"
"""Names of Quint's model-based testing for the event of a step, and its parameters."""
INSIDE, LOOP_ROW = "inside", "loop_row"
"""Keys of `#meta` for a state inside a row's records, and of the step that returns to the first state of a loop."""

Json = Any


def itf(
    protocol: Protocol, run: WrittenRun, loop: WrittenRun | None, about: Mapping[str, str], variants: bool = False
) -> dict[str, Json]:
    """Return a run as the JSON object of an ITF file.

    `loop` are the steps that are then done for ever, none where the run changes nothing more. `about` is added to the
    trace's `#meta`. With `variants` an option is a value tagged Some or None, and the parameters of each step are a
    variable, as Quint has them: itf-py refuses such a file.
    """
    return _Writer(protocol, run, loop, variants).document(about)


def variable_names(protocol: Protocol) -> dict[State[Any], str]:
    """Return what the variables of a protocol are called in a trace: as `trace to-tla` does, which names them first."""
    names = Globals((fresh(protocol.name, ()),))
    return {state: names.name(state, state.name) for state in protocol.states}


def about_run(run: Mapping[str, Any], protocol: Protocol, violated: bool) -> dict[str, str]:
    """Return what `#meta` says of a run's document: its tables and bound, its sizes, and the property that it shows."""
    shows, bound = run.get("shows"), run.get("bound")
    claim = next((one for one in protocol.properties if one.id == shows), None)
    is_broken = violated and shows is not None and not isinstance(claim, Sometimes)
    world = run["trace"]["world"]
    sizes = {
        name: len(values) if values == [*map(str, range(len(values)))] else values
        for name, values in world["entities"].items()
    } | world["ranges"]
    return {
        "protocol": run["protocol"],
        **({"bound": bound} if bound else {}),
        "table_hash": protocol.hash,
        "source": f"{protocol.name} at {bound}" if bound else protocol.name,
        "description": f"a run of fencepost, tables {protocol.hash}",
        "status": "violation" if is_broken else "ok",
        **({} if shows is None else {"property": str(shows)}),
        "sizes": json.dumps(sizes),
    }


class _Writer:
    def __init__(self, protocol: Protocol, run: WrittenRun, loop: WrittenRun | None, variants: bool) -> None:
        self.protocol, self.run, self.loop, self.variants = protocol, run, loop, variants
        # A variable of which the run says nothing is left out everywhere.
        self.names = {
            one: name
            for one, name in variable_names(protocol).items()
            if one.initial is not None or all((one, keys) in run.start for keys in keys_of(one, run.world))
        }
        params = {identifier(var.name): var.kind for row in protocol.rows for var in row.params}
        self.params = dict(sorted(params.items()))

    def document(self, about: Mapping[str, str]) -> dict[str, Json]:
        around = () if self.loop is None else self.loop.steps
        # The last step of a loop returns to its first state, which is not written again.
        steps = (*self.run.steps, *around[:-1])
        meta = {
            "format": "ITF",
            "format-description": FORMAT_DESCRIPTION,
            **about,
            "options": "variants" if self.variants else "sets",
            **({"initial": "false"} if not self.run.initial else {}),
            **({LOOP_ROW: around[-1].row.id} if around else {}),
        }
        found: dict[str, Json] = {
            "#meta": meta,
            "vars": [*self.names.values(), ACTION, *((PICKS,) if self.variants else ())],
        }
        if self.loop is not None:
            found["loop"] = len(self.run.steps)
        states = (self.run.start, *(step.state for step in steps))
        found["states"] = [
            self._state(index, state, steps[index - 1] if index else None) for index, state in enumerate(states)
        ]
        if self.run.inside and self.loop is None:
            found["states"][-1]["#meta"][INSIDE] = "true"
        return found

    def _state(self, index: int, state: Valuation, step: WrittenStep | None) -> dict[str, Json]:
        meta: dict[str, Json] = {"index": index}
        if step is not None:
            picks = {var.name: plain(value) for var, value in step.binding.items()}
            meta |= {"row": step.row.id, "picks": json.dumps(picks, ensure_ascii=False)}
        cells = {name: self._cells(one, state) for one, name in self.names.items()}
        taken = {ACTION: "init" if step is None else step.row.event.name}
        return {"#meta": meta, **cells, **taken, **({PICKS: self._picks(step)} if self.variants else {})}

    def _cells(self, variable: State[Any], state: Valuation) -> Json:
        """A variable: a function from its keys, those of several together as a tuple."""
        if not variable.keys:
            return self.value(state.read(variable, ()), variable.kind)
        return {
            "#map": [
                [self._key(keys, variable.keys), self.value(state.read(variable, keys), variable.kind)]
                for keys in keys_of(variable, self.run.world)
            ]
        }

    def _key(self, keys: tuple[Any, ...], kinds: tuple[Kind[Any], ...]) -> Json:
        parts = [self.value(key, kind) for key, kind in zip(keys, kinds, strict=True)]
        return parts[0] if len(parts) == 1 else {"#tup": parts}

    def _picks(self, step: WrittenStep | None) -> Json:
        """Every parameter of the protocol: what a step has picked, none of those that its row does not have."""
        given = {} if step is None else {identifier(var.name): (value, var.kind) for var, value in step.binding.items()}
        return {
            name: tagged("Some", self.value(*given[name])) if name in given else tagged("None", {"#tup": []})
            for name in self.params
        }

    def value(self, value: Any, kind: Kind[Any]) -> Json:
        """Return a value of a kind."""
        match kind:
            case OptionKind():
                inside = () if value is None else (self.value(value, kind.of),)
                if self.variants:
                    return tagged("Some", *inside) if inside else tagged("None", {"#tup": []})
                return {"#set": [*inside]}
            case SetKind():
                return {"#set": [self.value(one, kind.of) for one in ascending(value)]}
            case ListKind():
                return [self.value(one, kind.of) for one in value]
            case MapKind():
                pairs = value.items() if isinstance(value, Mapping) else value
                return {"#map": [[self.value(key, kind.of), self.value(one, kind.to)] for key, one in pairs]}
            case BoolKind():
                return bool(value)
            case EnumKind():
                return str(value.name)
            case EntityKind() if not isinstance(value, int):
                return str(value)
        return {"#bigint": str(value)}


def tagged(tag: str, value: Json) -> Json:
    """Return a value of a sum type."""
    return {"tag": tag, "value": value}


def ascending(values: Iterable[Any]) -> list[Any]:
    """Return the members of a set in an order that is always the same."""
    return sorted(values, key=lambda one: (0, one, "") if isinstance(one, int) else (1, 0, str(plain(one))))


def plain(value: Any) -> Json:
    """Return a parameter as JSON without the marks of the format: what a person reads in `#meta`."""
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, frozenset):
        return [plain(one) for one in ascending(value)]
    if isinstance(value, tuple):
        return [plain(one) for one in value]
    return value if value is None or isinstance(value, (bool, int)) else str(value)


def itf_text(document: Mapping[str, Json]) -> str:
    """Return the text of an ITF file, a line a state."""
    return "".join(_lines(document))


def _lines(document: Mapping[str, Json]) -> Iterator[str]:
    head = {key: value for key, value in document.items() if key != "states"}
    yield json.dumps(head, ensure_ascii=False)[:-1] + ', "states": [\n'
    states = [" " + json.dumps(one, ensure_ascii=False) for one in document["states"]]
    yield ",\n".join(states) + "]}\n"
