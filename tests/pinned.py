"""Bounds of a protocol with the counts that `spec/bounds` records: each explored once, however many tests ask."""

from collections.abc import Collection, Mapping
from functools import cached_property

import pytest

from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.exploration.manifest import recorded
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import Protocol
from fencepost.model.registry import find


class Pinned:
    """What the bounds of a protocol count: distinct states, states generated, depth."""

    def __init__(self, protocol: str, unrecorded: Mapping[str, tuple[int, int, int]] | None = None) -> None:
        """Take what is recorded of a protocol, and the counts of bounds that are too large to be recorded."""
        self._protocol = protocol
        self.counts = {bound: one.counts for bound, one in recorded(protocol).items()} | dict(unrecorded or {})
        self._explored: dict[str, Exploration] = {}

    @cached_property
    def bounds(self) -> Mapping[str, Protocol]:
        """The bounds of the protocol, each with the slice that has it."""
        return find(self._protocol).bounds

    def each(
        self, slow: Collection[str] = (), minutes: Collection[str] = (), nightly: Mapping[str, str] | None = None
    ) -> pytest.MarkDecorator:
        """Return the parameter `bound`: all bounds, those marked that are slow, take minutes, or repeat another."""
        repeats = nightly or {}

        def marks(bound: str) -> tuple[pytest.MarkDecorator, ...]:
            if bound in repeats:
                return (pytest.mark.nightly(f"test_a_bound_has_its_pinned_counts[{repeats[bound]}]"),)
            return (pytest.mark.exhaustive,) if bound in minutes else (pytest.mark.slow,) if bound in slow else ()

        return pytest.mark.parametrize("bound", [pytest.param(one, marks=marks(one)) for one in self.counts])

    def explored(self, bound: str) -> Exploration:
        """Return what the slice that has a bound shows there."""
        if bound not in self._explored:
            self._explored[bound] = explore(self.bounds[bound], bound)
        return self._explored[bound]

    def check(self, bound: str) -> None:
        """Every state is reached and keeps what is claimed; there are as many as when last looked at."""
        found = self.explored(bound)
        assert found.verdict is Verdict.CLOSED
        assert (found.distinct, found.generated, found.depth) == self.counts[bound]
        assert all(one.as_declared for one in found.properties)

    def fired(self, *bounds: str) -> set[str]:
        """Return the rows that fire at some of these bounds."""
        return {id for bound in bounds for id, times in self.explored(bound).rows_fired.items() if times}
