"""What `conform` answers of a ZooKeeper-era recording: a log's result, and what was inferred."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fencepost.checkers.conformance.results import LogResult

from .observed import Observed


@dataclass(slots=True)
class ZkResult(LogResult):
    """The verdict on one recording, and what it rests on.

    `inferred` counts what no line tells and was concluded: start states, ISRs that leaders changed, brokers seen.
    `kinds` counts the lines by their kind; `transactions` are those of the znode history. `missing` says what is
    not there. Of `rows_never_seen`, `rows_untold` are those that no recording could show. `observed` has what is legal
    and looks wrong.
    """

    inferred: dict[str, int] = field(default_factory=dict)
    kinds: Mapping[str, int] = field(default_factory=dict)
    transactions: int = 0
    missing: tuple[str, ...] = ()
    folded: int = 0
    rows_untold: tuple[str, ...] = ()
    observed: Observed = field(default_factory=Observed)

    def as_json(self) -> dict[str, Any]:
        """Return the result as JSON values."""
        return LogResult.as_json(self) | {
            "mode": "zookeeper",
            "rows_never_exercised": list(self.rows_never_seen),
            "rows_untold": list(self.rows_untold),
            "inferred": dict(sorted(self.inferred.items())),
            "kinds": dict(self.kinds),
            "transactions": self.transactions,
            "missing": list(self.missing),
            "folded": self.folded,
            "observed": self.observed.as_json(),
        }
