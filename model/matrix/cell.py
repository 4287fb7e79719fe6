"""Cells of the matrix: whether a design gives a guarantee, and how to reproduce the result."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Finding(Enum):
    """The result for a design and a guarantee."""

    PROVED = "proved"
    CLOSED = "holds at the bound"
    VIOLATED = "violated"
    SILENT = "not said"


@dataclass(frozen=True)
class Guarantee:
    """A promise that every design is asked for: its id, a short name, and what it means to an operator of Kafka."""

    id: str
    name: str
    meaning: str


@dataclass(frozen=True)
class Cell:
    """A cell of the matrix: the result for one design and one guarantee.

    `protocol` is as the command line knows it, a variant among them; `claim` is the id of the property there. A proof has no
    `bound`, an exploration has; of a violation `length` is that of the shortest trace in rows. `says` is the answer in a
    sentence, for people who know Kafka. `assumes` are the assumptions of the protocol without which a proved claim falls. A
    design whose text or tables say nothing of the guarantee is `SILENT`, and `says` gives the reason.

    Every cell is of the rows as they are. Where findings of `defects` break the guarantee, `repaired` has the protocols and
    properties that are proved of the rows without these defects; where it is violated at no bound, `length` is that of the
    shortest of the findings' traces.
    """

    guarantee: str
    design: str
    finding: Finding
    says: str
    claim: str = ""
    protocol: str = ""
    bound: str = ""
    length: int = 0
    assumes: tuple[str, ...] = ()
    defects: tuple[str, ...] = ()
    repaired: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def commands(self) -> tuple[str, ...]:
        """The commands that show it again: first that of the rows as they are, then those of the repaired ones."""
        proofs = (
            f"fencepost prove {protocol} {' '.join(f'--property {id}' for id in ids)}"
            for protocol, ids in self.repaired
        )
        return (self.command, *proofs) if self.command else ()

    @property
    def command(self) -> str:
        """The command that shows it again of the rows as they are, empty where there is nothing to show."""
        if self.defects and not self.bound:
            return f"fencepost show {self.defects[0]}"
        if not self.claim:
            return ""
        protocol = self.protocol or self.design
        if self.bound:
            return f"fencepost explore {protocol} --bound {self.bound} --property {self.claim}"
        return f"fencepost prove {protocol} --property {self.claim}"

    @property
    def scope(self) -> str:
        """For which clusters the answer is one."""
        if self.finding is Finding.PROVED:
            return "any number of entities" + (f", assuming {' and '.join(self.assumes)}" if self.assumes else "")
        if self.finding is Finding.CLOSED:
            return f"every state at {self.bound}"
        if self.finding is Finding.VIOLATED:
            return f"a trace of {self.length} rows"
        return ""
