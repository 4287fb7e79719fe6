"""TLC and exploration at a bound of more than 1e5 states of each protocol: the same states, transitions and levels."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.tlc import run_tlc
from fencepost.checkers.verdicts import Verdict
from fencepost.model.registry import FAMILIES, find

Sizes = Mapping[str, int]
COUNTS: list[tuple[str, str, Sizes, tuple[int, int, int]]] = [
    ("kraft", "changes", {}, (162_041, 2_256_115, 27)),
    ("kraft-data", "replicas", {}, (123_319, 560_224, 28)),
    ("kraft-loop", "pair", {}, (248_723, 1_577_460, 24)),
    ("kraft-voters", "three", {}, (137_202, 4_542_096, 14)),
    ("kraft-whole", "cut-again", {}, (383_285, 2_429_214, 36)),
    ("zk", "failover", {}, (138_365, 606_457, 59)),
    ("zk-data", "records", {}, (215_291, 811_334, 24)),
    ("kip343", "small", {}, (287_517, 1_142_417, 30)),
    ("kip46", "small", {"Broker": 4}, (230_324, 930_084, 34)),
    ("kip631-v1", "small", {"Partition": 2}, (298_395, 808_235, 47)),
    ("kip631-v2", "small", {"Partition": 2}, (331_910, 1_854_616, 27)),
    ("lease", "drift", {}, (155_539, 1_132_210, 27)),
]
"""A bound of each protocol, sizes that differ from it, and its counts (distinct, generated, depth)."""


@pytest.mark.nightly("tests/tlc/test_slices.py::test_tlc_counts_what_exploration_counts")
@pytest.mark.tlc
@pytest.mark.parametrize(("name", "bound", "sizes", "counts"), COUNTS, ids=[name for name, *_ in COUNTS])
def test_tlc_counts_what_exploration_counts(name: str, bound: str, sizes: Sizes, counts: tuple[int, int, int]) -> None:
    """At more than 1e5 states TLC counts what exploration counts, and finds no violation that is not declared."""
    tables = find(name).bounds[bound]
    limits = tables.bounds[bound]
    tables = replace(tables, bounds={**tables.bounds, bound: replace(limits, sizes={**limits.sizes, **sizes})})
    ours = explore(tables, bound)
    assert (ours.distinct, ours.generated, ours.depth) == counts
    found = run_tlc(tables, bound, timeout=7200.0)
    assert (found.verdict, found.violated) == (Verdict.CLOSED, None)
    assert (found.distinct, found.generated, found.depth) == counts


def test_every_protocol_has_a_bound_of_more_than_a_hundred_thousand_states() -> None:
    """Each shipped protocol is in the list once, with more than 1e5 states."""
    assert [name for name, *_ in COUNTS] == [*dict.fromkeys(name for name, *_ in COUNTS)]
    assert {name for name, *_ in COUNTS} == set(FAMILIES)
    assert min(counts[0] for *_, counts in COUNTS) > 100_000
