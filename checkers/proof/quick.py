"""A quick look at a proof: short attempts only, and what became of each row as soon as it is done."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from fencepost.checkers.asked import AskedOf, scopes_of
from fencepost.checkers.document import Document
from fencepost.checkers.verdicts import Verdict
from fencepost.model.language import Always, Protocol

from .obligations import claim_of, excepted, hypotheses, obligations, selected
from .processes import shared, workers
from .prover import Answer, Prover
from .results import INITIAL
from .scope import Inexpressible

Pair = tuple[str, str]
PATIENCE = 60.0
"""Seconds for an obligation, which short attempts hardly ever take."""


@dataclass(frozen=True)
class QuickRow(Document):
    """What short attempts found of a row, or of the first state: the ids of properties by answer.

    `broken` are those that some state of two entities a sort breaks, `expected` those of them that are declared to be;
    `open` are neither proved nor broken.
    """

    DOCUMENT = "row asked not_kept=broken expected not_decided=open seconds"

    row: str
    asked: int
    broken: tuple[str, ...]
    expected: tuple[str, ...]
    open: tuple[str, ...]
    seconds: float

    def line(self) -> str:
        """Return the row as a line."""
        proved = self.asked - len(self.broken) - len(self.expected) - len(self.open)
        parts = [f"{proved} of {self.asked} proved"]
        parts += [f"not kept: {', '.join(self.broken)}"] if self.broken else []
        parts += [f"violated as declared: {', '.join(self.expected)}"] if self.expected else []
        parts += [f"not decided quickly: {', '.join(self.open)}"] if self.open else []
        return f"{self.row}: {'; '.join(parts)} ({self.seconds:.1f} s)"


@dataclass(frozen=True)
class Quick(Document):
    """The outcome of a quick look: rows in the order in which they were done, and the ids of the properties asked."""

    DOCUMENT = "verdict rows quick asked_of=scopes"

    quick: ClassVar[Literal[True]] = True
    protocol: str
    rows: tuple[QuickRow, ...]
    seconds: float
    asked: tuple[str, ...] = ()
    scopes: tuple[AskedOf, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """Not inductive where a row does not keep what it should; inconclusive where anything was not decided; violated
        as declared where every property that was asked is declared violated, and is.
        """
        if any(one.broken for one in self.rows):
            return Verdict.NOT_INDUCTIVE
        decided = any(one.asked for one in self.rows) and not any(one.open for one in self.rows)
        if not decided:
            return Verdict.INCONCLUSIVE
        broken = {id for one in self.rows for id in one.expected}
        return Verdict.VIOLATED_AS_DECLARED if broken and broken == set(self.asked) else Verdict.PROVED


def quick(
    protocol: Protocol,
    *,
    properties: Sequence[str] | None = None,
    rows: Sequence[str] | None = None,
    told: Callable[[QuickRow], None] | None = None,
) -> Quick:
    """Ask each obligation by short attempts and by states of two entities a sort, under one seed.

    `told` is given each row when its last obligation is answered. That rows apply, that tables are tidy and what needs
    an assumption is not asked, and no counterexample is shown. `rows` and `properties` are ids of the protocol; raises
    `Refusal` for an unknown one.
    """
    started = time.perf_counter()
    chosen, listed = selected(protocol, properties, rows)
    claims = {one.id: one for one in chosen}
    prover = Prover(protocol, hypotheses(protocol))
    with suppress(Inexpressible):
        prover.session(0)

    def make() -> Callable[[Any], Any]:
        def work(job: Pair) -> tuple[Answer, float]:
            since = time.perf_counter()
            row = None if job[0] == INITIAL else protocol.row(job[0])
            answer = prover.quickly(row, claim_of(protocol, *job), 1)
            return answer, time.perf_counter() - since

        return work

    plan = [[(INITIAL, one.id) for one in chosen if isinstance(one, Always)]]
    asked = [(row.id, claim.id) for row, claim, frame in obligations(protocol, listed, chosen) if not frame]
    plan += [[pair for pair in asked if pair[0] == row.id] for row in listed]
    found = []
    total = Counter(job[0] for jobs in plan for job in jobs)
    for one in _rows(protocol, shared(make, plan, PATIENCE, workers()), total):
        found.append(one)
        if told is not None:
            told(one)
    return Quick(protocol.name, tuple(found), time.perf_counter() - started, tuple(claims), scopes_of(protocol, chosen))


def _rows(protocol: Protocol, answers: Iterator[tuple[Any, Any, str]], total: Counter[str]) -> Iterator[QuickRow]:
    """Yield each row when all of its answers are there."""
    there: dict[str, dict[str, tuple[Answer, float]]] = {}
    for (row, property_), answer, _ in answers:
        mine = there.setdefault(row, {})
        mine[property_] = answer or ("unknown", PATIENCE)
        if len(mine) < total[row]:
            continue
        refuted = [id for id, (one, _) in mine.items() if one == "refuted"]
        declared = [id for id in refuted if _declared(protocol, row, id)]
        yield QuickRow(
            row,
            total[row],
            tuple(id for id in refuted if id not in declared),
            tuple(declared),
            tuple(id for id, (one, _) in mine.items() if one not in ("proved", "refuted")),
            sum(seconds for _, seconds in mine.values()),
        )


def _declared(protocol: Protocol, row: str, id: str) -> bool:
    claim = claim_of(protocol, row, id)
    if row == INITIAL:
        return claim.expected == "violated" and not claim.by
    return excepted(protocol.row(row), claim)
