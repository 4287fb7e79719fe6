"""Python source that is printed of terms: the names in it, and the functions that are made of it."""

from __future__ import annotations

import enum
from functools import cache
from typing import Any, Final

from fencepost.model.language import Var
from fencepost.model.language.nodes import Comprehension, Each, Named, Next, Quant
from fencepost.model.language.walk import nodes

_SMALL: Final = 7


class Source:
    """The shared parts of printed functions: `space` has the values that they name, and the functions themselves."""

    def __init__(self, space: dict[str, Any]) -> None:
        self.space = space
        self._variables: dict[Var[Any], str] = {}
        self._constants: dict[tuple[type, Any], str] = {}

    def variable(self, var: Var[Any]) -> str:
        """Return the Python name of a variable."""
        found = self._variables.get(var)
        if found is None:
            found = self._variables[var] = f"v{len(self._variables)}"
        return found

    def constant(self, value: Any) -> str:
        """Return a value as an expression."""
        if (
            value is None
            or isinstance(value, (bool, str))
            or (isinstance(value, int) and not isinstance(value, enum.Enum))
        ):
            return repr(value)
        key = (type(value), value)
        name = self._constants.get(key)
        if name is None:
            name = self._constants[key] = f"c{len(self._constants)}"
            self.space[name] = value
        return name

    def made(self, name: str, source: str) -> Any:
        """Return the function of a name that a source defines."""
        exec(compile(source, f"<{name}>", "exec"), self.space)
        return self.space[name]


@cache
def is_small(term: Named[Any]) -> bool:
    """Whether a named term is printed inline: a cache lookup for so few nodes would cost more."""
    for found, node in enumerate(nodes(term.term), 1):
        if found > _SMALL or isinstance(node, (Quant, Comprehension, Each, Next)):
            return False
    return True
