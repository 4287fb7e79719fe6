"""All nodes of terms, those that operators build and those of lists and sizes, and their closed union."""

from __future__ import annotations

from typing import Any, TypeAlias

from .listterms import Ascending, At, AtLeast, Concat, Each, First, Keep, Lesser, ListOf, MaxOf, Repeats, SizeOf
from .terms import (
    FALSE,
    TRUE,
    Arith,
    Before,
    Compare,
    Comprehension,
    Elems,
    Eq,
    Get,
    Implies,
    Ite,
    Lit,
    Member,
    Named,
    Nary,
    Next,
    Not,
    Quant,
    SetOf,
    SetOp,
    Subset,
    Term,
    Var,
    lift,
)

Node: TypeAlias = Lit[Any] | Var[Any] | Get[Any] | Not | Nary | Implies | Eq | Compare | Arith | Ite[Any] | Quant | Comprehension[Any] | SetOf[Any] | Member | Subset | SetOp[Any] | Elems[Any] | First[Any] | Keep[Any] | Concat[Any] | ListOf[Any] | Ascending[Any] | Repeats | AtLeast | Lesser | SizeOf | MaxOf | Each[Any] | At[Any] | Named[Any] | Before[Any] | Next[Any]  # fmt: skip
"""The closed union of term nodes: every engine matches all of them and ends in `assert_never`."""

__all__ = [
    "FALSE",
    "TRUE",
    "Arith",
    "Ascending",
    "At",
    "AtLeast",
    "Before",
    "Compare",
    "Comprehension",
    "Concat",
    "Each",
    "Elems",
    "Eq",
    "First",
    "Get",
    "Implies",
    "Ite",
    "Keep",
    "Lesser",
    "ListOf",
    "Lit",
    "MaxOf",
    "Member",
    "Named",
    "Nary",
    "Next",
    "Node",
    "Not",
    "Quant",
    "Repeats",
    "SetOf",
    "SetOp",
    "SizeOf",
    "Subset",
    "Term",
    "Var",
    "lift",
]
