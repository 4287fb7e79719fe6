"""What is known of a printed value, and the connectives of printed conditions."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Final, Literal, NamedTuple, TypeAlias

Test: TypeAlias = str | bool
"""A condition as a Python expression, or its value where every state decides it alike."""


class Certainty(IntEnum):
    """How often a value is known: always, or not in every state, or never, since no log shows it."""

    ALWAYS, AT_TIMES, NEVER = range(3)


ALWAYS: Final = Certainty.ALWAYS
AT_TIMES: Final = Certainty.AT_TIMES
NEVER: Final = Certainty.NEVER


class Value(NamedTuple):
    """A value as a Python expression; it is the name `U` where the state does not show it."""

    text: str
    certainty: Certainty


class Truth(NamedTuple):
    """A condition as two tests: whether it may be true, and whether it is sure to be."""

    may: Test
    sure: Test

    @property
    def is_decided(self) -> bool:
        """Whether every state that a log can show decides it."""
        return self.may == self.sure


UNDECIDED: Final = Truth(True, False)
HIDDEN: Final = Value("U", NEVER)


def text(test: Test) -> str:
    """Return a test as a Python expression."""
    return repr(test) if isinstance(test, bool) else test


def negated(test: Test) -> Test:
    """Return the test that is true where another is false."""
    if isinstance(test, bool):
        return not test
    return test[5:-1] if test.startswith("(not ") and _is_one_operand(test) else f"(not {test})"


def _is_one_operand(test: str) -> bool:
    """Whether the brackets around a negation close at its end, and what is negated is no connective."""
    depth = 0
    for at, one in enumerate(test):
        depth += (one == "(") - (one == ")")
        if depth == 0 and at < len(test) - 1:
            return False
    return not any(word in test for word in (" and ", " or ", " for ", " if "))


def joined(operator: Literal["and", "or"], tests: Iterable[Test]) -> Test:
    """Return the conjunction or disjunction of tests, in their order."""
    deciding = operator == "or"
    kept: list[str] = []
    for one in tests:
        if isinstance(one, bool):
            if one is deciding:
                return deciding
        elif one not in kept:
            kept.append(one)
    if not kept:
        return not deciding
    return kept[0] if len(kept) == 1 else "(" + f" {operator} ".join(kept) + ")"


def chosen(condition: str, then: Test, otherwise: Test) -> Test:
    """Return the first test where a condition holds, the second where it does not."""
    if then == otherwise:
        return then
    if isinstance(then, bool) and isinstance(otherwise, bool):
        return condition if then else negated(condition)
    return f"({text(then)} if {condition} else {text(otherwise)})"
