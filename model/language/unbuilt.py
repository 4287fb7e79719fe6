"""Python's operators that build no term: each says at the line that uses it what to write instead."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from .errors import TableError, refuse


def no_term(other: object, operator: str) -> TableError:
    """Return the error for an operand that is no term: most likely, it is the bool that `==` made of two terms."""
    made = "; `==` between two terms makes one" if isinstance(other, bool) else ""
    kind = type(other).__name__
    write = "write `.is_(...)` for `==`, TRUE or FALSE for a constant"
    return refuse(f"the operand of {operator}", f"{other!r} is a Python {kind}, not a term{made}", write)


def _unbuilt(operator: str, write: str) -> Callable[[Any, object], NoReturn]:
    """Return the method of an operator, which names both sides and says what to write."""

    def refused(self: Any, other: object) -> NoReturn:
        raise refuse(f"{self} {operator} {other}", f"`{operator}` builds no term", write.format(self))

    return refused


def _is(term: object, other: object) -> str:
    """How a comparison of a term with a Python value is written."""
    if isinstance(other, bool):
        return str(term) if other else f"~{term}"
    return f"{term}.is_({other})"


class Unbuilt:
    """Base of terms, with the operators that no table may use. Between two terms `==` means identity, for the engines."""

    if not TYPE_CHECKING:  # mypy knows no such operators, and so reports their uses

        def __eq__(self, other: object) -> bool:
            if isinstance(other, (int, enum.Enum)):
                raise refuse(f"{self} == {other}", "`==` builds no term", f"write {_is(self, other)}, or ~ before it")
            return self is other

        __hash__ = object.__hash__

        def __rand__(self, other: object) -> NoReturn:
            raise no_term(other, "&")

        def __ror__(self, other: object) -> NoReturn:
            raise no_term(other, "|")

        def __radd__(self, other: object) -> NoReturn:
            raise refuse(f"{other} + {self}", "a sum begins with its term", f"write {self} + {other}")

        def __rsub__(self, other: object) -> NoReturn:
            raise refuse(f"{other} - {self}", "a difference begins with a term", "move the number to the other side")

        def __neg__(self) -> NoReturn:
            write = f"write ~{self} for a condition, x - {self} for a number"
            raise refuse(f"-{self}", "a number is not negated", write)

        def __contains__(self, other: object) -> NoReturn:
            raise refuse(f"{other} in {self}", "`in` builds no term", f"write {other}.in_({self})")

        def __rmul__(self, other: object) -> NoReturn:
            raise refuse(f"{other} * {self}", "a product begins with its term", f"write {self} * {other}")

        __truediv__ = __floordiv__ = __rtruediv__ = __rfloordiv__ = _unbuilt("/", "multiply the other side by adding")
        __mod__ = __rmod__ = _unbuilt("%", "compare, add and subtract")
        __xor__ = __rxor__ = _unbuilt("^", "write {0}.isnt(...)")
