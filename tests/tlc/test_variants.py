"""Every variant with a bound `tiny`, by TLC and by exploration: they differ in nothing that both were asked."""

from collections.abc import Iterator
from typing import Any

import pytest

from fencepost.checkers.codes import compare
from fencepost.checkers.exploration import explore
from fencepost.checkers.tlc import run_tlc
from fencepost.model.language import Protocol
from fencepost.model.museum import entries
from fencepost.model.registry import FAMILIES, find

TINY = "tiny"
WITHOUT = {"kraft-whole"}
"""Protocols that have no such bound."""


def variants(base: str) -> Iterator[tuple[str, Protocol]]:
    """Yield a protocol and its variants, each with the slice that has the bound."""
    for name in (base, *(f"{base}+{one.name}" for one in entries(base))):
        bounds = find(name).bounds
        if TINY in bounds:
            yield name, bounds[TINY]


@pytest.mark.nightly(
    "tests/cli/test_tlc_compared.py::test_a_violation_that_tlc_was_not_asked_is_no_disagreement[OF_A_ROW-three-beyond0]"
)
@pytest.mark.tlc
@pytest.mark.parametrize("base", sorted(set(FAMILIES) - WITHOUT))
def test_tlc_and_exploration_differ_in_nothing_that_both_were_asked(base: str) -> None:
    """Distinct states, states generated, depth and verdicts are equal, so that no variant ends with 5."""
    found = dict(variants(base))
    assert base in found
    differences: dict[str, Any] = {
        name: compare(run_tlc(protocol, TINY), explore(protocol, TINY), None).differences
        for name, protocol in found.items()
    }
    assert {name: one for name, one in differences.items() if one} == {}
