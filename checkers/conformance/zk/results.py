"""The results of `conform` for a ZooKeeper-era recording: a log's result, and what was inferred."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from fencepost.checkers.conformance.results.results import LogResult

from .observed import Observed


@dataclass(slots=True)
class ZkResult(LogResult):
    """The verdict on one recording, and what it rests on.

    `inferred` counts facts that no line reports and that were concluded: start states, ISRs that leaders changed,
    brokers seen. `kinds` counts the lines by their kind; `transactions` are those of the znode history. `missing` says
    what is not there. Of `rows_never_seen`, `rows_untold` are those that no recording could show. `observed` has what
    is legal and looks wrong.
    """

    DOCUMENT = (
        f"{LogResult.DOCUMENT} mode rows_never_exercised=rows_never_seen rows_untold inferred:sorted kinds "
        "transactions missing folded observed"
    )

    mode: ClassVar[Literal["zookeeper"]] = "zookeeper"
    inferred: dict[str, int] = field(default_factory=dict)
    kinds: Mapping[str, int] = field(default_factory=dict)
    transactions: int = 0
    missing: tuple[str, ...] = ()
    folded: int = 0
    rows_untold: tuple[str, ...] = ()
    observed: Observed = field(default_factory=Observed)
