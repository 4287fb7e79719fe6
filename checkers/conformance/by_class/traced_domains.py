"""The entities seen of each sort, as they are read under the tracer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fencepost.checkers.conformance.by_class.tracer import Tracer


class TracedDomains(dict[str, Any]):
    """The entities seen of each sort; an evaluation that lists the classed sort, or a parent's, is not local."""

    def __init__(self, tracer: Tracer, real: Mapping[str, Mapping[Any, int]], after: bool) -> None:
        super().__init__()
        self._tracer, self._real, self._after = tracer, real, after

    def get(self, sort: str, default: Any = None) -> Any:
        """Return the entities seen of a sort, the default where none are kept; that they were listed is noted."""
        found = self._real.get(sort)
        if found is None:
            return default
        shape = self._tracer.shape
        if sort == shape.sort or sort in shape.parents:
            return _TracedEntities(self._tracer, sort, found)
        self._tracer.domain(self._after, sort, len(found))
        return found


class _TracedEntities:
    """The entities of a classed sort or a parent's: that an entity itself was seen is nothing that it reads."""

    __slots__ = ("real", "sort", "tracer")

    def __init__(self, tracer: Tracer, sort: str, real: Mapping[Any, int]) -> None:
        self.tracer, self.sort, self.real = tracer, sort, real

    def __contains__(self, one: object) -> bool:
        self.tracer.symbol(self.sort, one)
        return one in self.real

    def __iter__(self) -> Iterator[Any]:
        self.tracer.local = False
        return iter(self.real)

    def __len__(self) -> int:
        self.tracer.local = False
        return len(self.real)

    def __getitem__(self, one: Any) -> int:
        self.tracer.local = False
        return self.real[one]
