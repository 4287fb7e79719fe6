"""The bounds at which `kraft-loop` is explored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fencepost.model.language import TRUE, Bound, NotFor, Protocol, Term, declaring, not_for

from .protocol import KRAFT_LOOP
from .state import transactions


def bound(
    controllers: int,
    requests: int,
    epochs: int,
    offsets: int,
    start: Term[bool] = TRUE,
    given: Mapping[str, Term[bool]] | None = None,
) -> Bound:
    """Return the bound of so many controllers, requests, leader epochs and records."""
    sizes = {"Controller": controllers, "Request": requests, "leader epoch": epochs, "offset": offsets}
    return Bound(sizes, start, dict(given or {}))


LOOP: Protocol = replace(
    KRAFT_LOOP,
    bounds={
        "tiny": bound(1, 1, 2, 2, ~transactions),
        "pair": bound(2, 1, 2, 2, ~transactions),
        "abort": bound(1, 1, 2, 5, transactions),
    },
    ends=True,
)
"""`tiny` and `pair` without transactions, as before 3.6-IV1; `abort` with them: a node that is elected again in a later epoch."""
NOT_FOR: tuple[NotFor, ...] = (
    not_for("there are no transactions", "QL12 QL9 QL9e QX5 QX6 QX7", "tiny pair"),
    not_for("there is one controller", "QX4", "tiny abort"),
)
SLICES: tuple[Protocol, ...] = declaring((LOOP,), *NOT_FOR)
