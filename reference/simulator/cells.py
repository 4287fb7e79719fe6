"""The cells of a design's state: named values that remember what has changed since the last step.

A design keeps in them what its tables keep as state, so that every step of a run can tell what it changed, and nothing
else of the design's text is about telling.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import Any, Generic, TypeVar

from fencepost.traces.design_steps import Changed, DesignStep

Value = TypeVar("Value")
Keys = tuple[int, ...]


def told(value: Any) -> Any:
    """Return a value as a trace has it: a state is its name, a set an ascending list, a sequence a list.

    >>> told(frozenset({3, 1})), told((3, 1)), told({2: frozenset({1})}), told(None)
    ([1, 3], [3, 1], {'2': [1]}, None)

    Raises TypeError for what no trace can have.
    """
    if isinstance(value, Enum):
        return told(value.value)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, set | frozenset):
        return sorted(told(one) for one in value)
    if isinstance(value, tuple | list):
        return [told(one) for one in value]
    if isinstance(value, Mapping):
        return {str(key): told(value[key]) for key in sorted(value)}
    raise TypeError(f"{value!r} is nothing that a trace can have")


class Column(Generic[Value]):
    """A variable with keys: `column[2]`, with several keys `column[2, 5]`; a key never set has the default.

    Values are immutable: numbers, states, None, frozensets and tuples of these.
    """

    def __init__(self, name: str, default: Value, keys: Iterable[int | Keys] = ()) -> None:
        self.name = name
        self.default = default
        self._values: dict[Keys, Value] = {_keys(one): default for one in keys}
        self._before: dict[Keys, Value] = {}

    def __getitem__(self, key: int | Keys) -> Value:
        return self._values.get(_keys(key), self.default)

    def __setitem__(self, key: int | Keys, value: Value) -> None:
        keys = _keys(key)
        self._before.setdefault(keys, self._values.get(keys, self.default))
        self._values[keys] = value

    def __iter__(self) -> Iterator[Keys]:
        return iter(sorted(self._values))

    def changed(self) -> list[Changed]:
        """Return the cells whose values are others than when this was last asked, by keys."""
        before, self._before = self._before, {}
        return [
            Changed(self.name, keys, told(self._values[keys]))
            for keys in sorted(before)
            if self._values[keys] != before[keys]
        ]

    def all(self) -> list[Changed]:
        """Return all cells that have been declared or set, by keys."""
        return [Changed(self.name, keys, told(self._values[keys])) for keys in self]


class Cell(Generic[Value]):
    """A variable without keys: `cell.value`."""

    def __init__(self, column: Column[Value]) -> None:
        self._column = column

    @property
    def value(self) -> Value:
        """Return the current value."""
        return self._column[()]

    @value.setter
    def value(self, value: Value) -> None:
        self._column[()] = value


class Cells:
    """All cells of a design.

    >>> cells = Cells()
    >>> state, leader = cells.column("state", "Inactive", keys=(1, 2)), cells.cell("leader", 1)
    >>> state[2] = "Active"
    >>> cells.step(5, "controller", "Heartbeat", {"b": 2}, "NONE Active").changed
    (Changed(variable='state', keys=(2,), value='Active'),)
    >>> leader.value = 2; state[2] = "Inactive"; state[2] = "Active"
    >>> cells.step(6, "controller", "ElectLeader").changed
    (Changed(variable='leader', keys=(), value=2),)
    """

    def __init__(self) -> None:
        self._columns: dict[str, Column[Any]] = {}

    def column(self, name: str, default: Value, keys: Iterable[int | Keys] = ()) -> Column[Value]:
        """Declare a variable with keys; raises ValueError for a name that is taken."""
        if name in self._columns:
            raise ValueError(f"there is a variable {name} already")
        column = self._columns[name] = Column(name, default, keys)
        return column

    def cell(self, name: str, value: Value) -> Cell[Value]:
        """Declare a variable without keys; raises ValueError for a name that is taken."""
        return Cell(self.column(name, value, ((),)))

    def changed(self) -> tuple[Changed, ...]:
        """Return the cells whose values are others than when this was last asked, by variable and keys."""
        return tuple(one for name in sorted(self._columns) for one in self._columns[name].changed())

    def all(self) -> tuple[Changed, ...]:
        """Return all cells that have been declared or set, by variable and keys."""
        return tuple(one for name in sorted(self._columns) for one in self._columns[name].all())

    def initial(self) -> list[list[Any]]:
        """Return all cells as a header has them: each a list of variable, keys and value."""
        return [[one.variable, list(one.keys), one.value] for one in self.all()]

    def step(
        self, time_ms: int, node: str, name: str, parameters: Mapping[str, Any] | None = None, answer: str = ""
    ) -> DesignStep:
        """Return the step that ends now, with everything that has changed since the last one."""
        return DesignStep(
            time_ms=time_ms,
            node=node,
            name=name,
            parameters={key: told(value) for key, value in (parameters or {}).items()},
            answer=answer,
            changed=self.changed(),
        )


def _keys(key: int | Keys) -> Keys:
    return key if isinstance(key, tuple) else (key,)
