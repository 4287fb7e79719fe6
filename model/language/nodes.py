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

Structure: TypeAlias = Lit[Any] | Var[Any] | Get[Any] | Nary | Implies | Ite[Any] | Quant | Comprehension[Any] | MaxOf | Each[Any] | Named[Any] | Before[Any] | Next[Any]  # fmt: skip
"""The nodes of which no entry of `operators.OPERATORS` says all: every engine has a case for each."""

Node: TypeAlias = Structure | Not | Eq | Compare | Arith | Lesser | SetOf[Any] | SetOp[Any] | Member | Subset | SizeOf | AtLeast | Elems[Any] | ListOf[Any] | First[Any] | Keep[Any] | Concat[Any] | Ascending[Any] | Repeats | At[Any]  # fmt: skip
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
    "Structure",
    "Subset",
    "Term",
    "Var",
    "lift",
]
