"""Samples of mutants: the same for a seed, and every row and every kind in it as evenly as there are mutants."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .mutants import Mutant, Population


@dataclass(frozen=True)
class Sample:
    """The mutants to check, in the protocol's order; `total` counts those there are, `left_out` by reason those
    met on the way that are no protocol of their own."""

    mutants: tuple[Mutant, ...]
    total: int
    left_out: dict[str, int]


def drawn(population: Population, rows: Sequence[str] | None, size: int | None, seed: int) -> Sample:
    """Draw a sample, or take all where no size is given.

    Row after row gives one mutant of the kind that has been drawn least, by a hash of seed and id: another row of the
    tables changes little of what is drawn of the others.
    """
    everything = population.all(rows)
    left_out: Counter[str] = Counter()
    waiting: dict[str, dict[str, list[Mutant]]] = {}
    for one in sorted(everything, key=lambda m: _lot(seed, m.id)):
        waiting.setdefault(one.row, {}).setdefault(one.kind, []).append(one)
    order = sorted(waiting, key=lambda id: _lot(seed, id))
    taken: list[Mutant] = []
    count: Counter[str] = Counter()
    own: Counter[tuple[str, str]] = Counter()
    while order and (size is None or len(taken) < size):
        for id in list(order):
            kinds = waiting[id]
            while kinds:
                kind = min(kinds, key=lambda k: (own[id, k], count[k], _lot(seed, f"{id}:{k}")))
                one = kinds[kind].pop(0)
                if not kinds[kind]:
                    del kinds[kind]
                reason = population.fresh(one)
                if not reason:
                    taken.append(one)
                    count[kind] += 1
                    own[id, kind] += 1
                    break
                left_out[reason] += 1
            if not kinds:
                order.remove(id)
            if size is not None and len(taken) == size:
                break
    place = {row.id: i for i, row in enumerate(population.protocol.rows)}
    within = {m.id: i for i, m in enumerate(everything)}
    return Sample(
        tuple(sorted(taken, key=lambda m: (place[m.row], within[m.id]))),
        len(everything),
        dict(sorted(left_out.items())),
    )


def _lot(seed: int, text: str) -> bytes:
    return hashlib.sha256(f"{seed}:{text}".encode()).digest()


__all__ = ["Sample", "drawn"]
