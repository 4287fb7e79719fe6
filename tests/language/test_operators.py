"""The table of operators: every entry has the value that is written here by hand, and nothing is left out."""

from typing import Any, get_args

import pytest

from fencepost.model.language import operators
from fencepost.model.language.errors import EvaluationError
from fencepost.model.language.nodes import Node
from fencepost.model.language.operators import OPERATORS

VALUES: dict[tuple[str, str], tuple[tuple[Any, ...], Any]] = {
    ("Not", ""): ((True,), False),
    ("Eq", ""): (((1, 2), (2, 1)), False),
    ("Compare", "<"): ((2, 2), False),
    ("Compare", "<="): ((2, 2), True),
    ("Arith", "+"): ((5, 2), 7),
    ("Arith", "-"): ((5, 2), 3),
    ("Arith", "*"): ((5, 2), 10),
    ("Lesser", ""): ((3, 2), 2),
    ("SetOf", ""): ((1, None, 2), frozenset({1, 2})),
    ("SetOp", "&"): ((frozenset({1, 2}), frozenset({2, 3})), frozenset({2})),
    ("SetOp", "|"): ((frozenset({1, 2}), frozenset({2, 3})), frozenset({1, 2, 3})),
    ("SetOp", "-"): ((frozenset({1, 2}), frozenset({2, 3})), frozenset({1})),
    ("Member", ""): ((None, frozenset({1})), False),
    ("Subset", ""): ((frozenset({1}), frozenset({1})), True),
    ("SizeOf", ""): ((frozenset({4, 5}),), 2),
    ("AtLeast", ""): ((frozenset({4, 5}), 2), True),
    ("Elems", ""): (((3, 1),), frozenset({1, 3})),
    ("ListOf", ""): ((None,), ()),
    ("First", ""): (((3, 1, 2), frozenset({1, 2})), 1),
    ("Keep", ""): (((3, 1, 2), frozenset({2, 3})), (3, 2)),
    ("Concat", ""): (((3, 1), (1, 2)), (3, 1, 2)),
    ("Ascending", ""): ((frozenset({3, 1, 2}),), (1, 2, 3)),
    ("Repeats", ""): (((1, 2, 1),), True),
    ("At", ""): (((7, 8), (2, 5), 5), 8),
}


def test_every_operator_has_its_value() -> None:
    """Each entry has the value of plain Python, applied as a function and as printed source."""
    by_name = {(of.__name__, sign): one for (of, sign), one in OPERATORS.items()}
    assert by_name.keys() == VALUES.keys()
    for key, (operands, value) in VALUES.items():
        names = [f"a{n}" for n in range(len(operands))]
        space = {**operators.CALLS, **dict(zip(names, operands, strict=True))}
        assert by_name[key].apply(*operands) == value, key
        assert eval(by_name[key].python_of(*names), space) == value, key


def test_where_nothing_stands_beside_there_is_no_value() -> None:
    """An entry that a list does not have, or one behind the end of the other list, has no value beside it."""
    for values, along, entry in (((7,), (2, 5), 5), ((7, 8), (2, 5), 3)):
        with pytest.raises(EvaluationError, match="there is no value beside"):
            operators.beside(values, along, entry)


def test_a_node_without_an_entry_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A node that is neither an operator nor a structure is refused when the language is imported."""
    assert operators._unsaid() == set()
    monkeypatch.setattr(operators, "Node", Node | int)
    assert len(get_args(operators.Node)) == len(get_args(Node)) + 1
    assert operators._unsaid() == {"int"}
