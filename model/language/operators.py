"""The operators on counters, each with what every engine needs to know of it: one entry here is one operator everywhere.

The interpreter, three-valued evaluation and Z3 apply the function (Z3's numbers overload Python's operators); printers of
Python and of TLA+ write the symbol, with both operands in brackets where they are no single word.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Symbol = Literal["+", "-", "*"]


@dataclass(frozen=True)
class Operator:
    """An operator: its function, its sign on a page, how tightly it binds there, whether its operands may change places."""

    apply: Callable[[Any, Any], Any]
    sign: str
    product: bool = False
    commutes: bool = False


ARITHMETIC: dict[Symbol, Operator] = {
    "+": Operator(operator.add, "+", commutes=True),
    "-": Operator(operator.sub, "−"),
    "*": Operator(operator.mul, "·", product=True, commutes=True),
}
"""The operators of `Arith`. TLA+ and Python write each with the same symbol."""
