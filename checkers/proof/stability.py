"""Stability: whether an obligation is proved however its question is written, as studies of SMT solvers measure it.

A question is varied in three ways that change nothing of what it asks: other names for every symbol, another order of
what is asserted, another seed of the solver. An obligation is stable in one way if at least 95 % of its variations are
proved.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from fencepost.model.language import Always, Protocol, Step

from .obligations import claim_of
from .processes import shared, workers
from .prover import Prover, excepted, hypotheses, obligations
from .variation import WAYS, Variation, Way

STABLE = 0.95
"""The share of its variations that a stable obligation proves."""

Job = tuple[Way, int, str, str]


@dataclass(frozen=True)
class Stability:
    """How often each sampled obligation was proved, by the way of varying it; `asked` variations of each way."""

    protocol: str
    asked: int
    proved: dict[tuple[str, str], dict[Way, int]] = field(default_factory=dict)

    def unstable(self) -> tuple[tuple[str, str, Way, int], ...]:
        """Return the obligations that are not stable: row, property, way, and how often they were proved."""
        return tuple(
            (row, property_, way, count)
            for (row, property_), counts in self.proved.items()
            for way, count in counts.items()
            if count < STABLE * self.asked
        )

    def as_json(self) -> dict[str, Any]:
        """Return the outcome as JSON values."""
        unstable = self.unstable()
        return {
            "protocol": self.protocol,
            "obligations": len(self.proved),
            "variations": dict.fromkeys(WAYS, self.asked),
            "unstable": [
                {"row": row, "property": id, "way": way, "proved": count, "of": self.asked}
                for row, id, way, count in unstable
            ],
        }


def stability(
    protocol: Protocol,
    *,
    variations: int = 60,
    sample: float = 1.0,
    seed: int = 1,
    timeout: float = 240.0,
    progress: Callable[[int, int], None] | None = None,
) -> Stability:
    """Ask obligations again under other names, orders and seeds, `variations` of each.

    `sample` is the share of the obligations that is asked, drawn with `seed`; those that are declared to fail, and
    those whose row writes nothing that the property reads, are left out.
    """
    claims = [one for one in protocol.properties if isinstance(one, (Always, Step))]
    listed = [
        (row.id, claim.id)
        for row, claim, frame in obligations(protocol, protocol.rows, claims)
        if not frame and not excepted(row, claim)
    ]
    chosen = random.Random(seed).sample(listed, max(1, round(sample * len(listed))))
    counts = {one: dict.fromkeys(WAYS, 0) for one in sorted(chosen, key=listed.index)}
    batches = [[(way, n, *one) for one in counts] for n in range(1, variations + 1) for way in WAYS]
    total = sum(map(len, batches))
    for done, (job, proved, _) in enumerate(_asked(protocol, batches, timeout), 1):
        way, _, row, property_ = job
        counts[row, property_][way] += bool(proved)
        if progress is not None:
            progress(done, total)
    return Stability(protocol.name, variations, counts)


def _asked(protocol: Protocol, batches: Sequence[Sequence[Job]], timeout: float) -> Iterator[tuple[Job, Any, str]]:
    def make() -> Callable[[Any], bool]:
        provers: dict[tuple[Way, int], Prover] = {}

        def work(job: Job) -> bool:
            way, number, row, property_ = job
            if (way, number) not in provers:
                provers.clear()  # a batch is one variation, and a prover is large
                provers[way, number] = Prover(protocol, hypotheses(protocol), Variation(way, number))
            claim = claim_of(protocol, row, property_)
            prover = provers[way, number]
            return prover.ask(protocol.row(row), claim, number if way == "seed" else 1).answer == "proved"

        return work

    for job, proved, why in shared(make, batches, timeout, workers(), afresh=True):
        yield (job[0], job[1], job[2], job[3]), proved, why
