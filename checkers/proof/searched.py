"""What a short search from the initial states found of a counterexample to induction: a run, or a lemma to look at."""

from __future__ import annotations

import builtins
from dataclasses import dataclass

from fencepost.checkers.counterexample import Trace
from fencepost.checkers.counting import counted
from fencepost.checkers.document import Document
from fencepost.model.language import Term
from fencepost.model.language.render import text


@dataclass(frozen=True)
class Candidate(Document):
    """A lemma that would block a counterexample: what its first state shows, and no state that the search reached.

    `facts` are what no reached state shows together, as text over some entities; `lemma` says that no state does.
    `broken_by` is a row that breaks the lemma from a state which satisfies it and every invariant, empty where none is
    known; `kept` says that every row is proved to keep it.
    """

    DOCUMENT = "facts lemma=lemma_text broken_by:or_null kept"

    facts: str
    lemma: Term[bool]
    broken_by: str = ""
    kept: bool = False

    @builtins.property
    def lemma_text(self) -> str:
        """The lemma as text."""
        return text(self.lemma)


@dataclass(frozen=True)
class Searched(Document):
    """A search for a run that breaks a property, at one bound of some tables.

    `trace` is the run, replayed by the interpreter, None where none was found; `shortest` says that there is no shorter
    one at the bound. `depth` counts the levels that were searched whole, the initial states being the first, and
    `closed` says that these are all reachable states of the bound. `message` says what came between where nothing could
    be searched, and is empty otherwise. `own_start` says that the run begins where the protocol does; a slice may begin
    later, where its bound says. `row` is the row that breaks the property behind the run where it cannot be run itself.
    """

    DOCUMENT = (
        "reached protocol bound:or_null sizes states depth closed shortest own_start trace candidate_lemma=candidate "
        "message"
    )

    property: str
    protocol: str
    bound: str
    sizes: dict[str, int]
    states: int
    depth: int
    closed: bool
    seconds: float
    trace: Trace | None = None
    shortest: bool = False
    candidate: Candidate | None = None
    message: str = ""
    own_start: bool = True
    row: str = ""

    @builtins.property
    def reached(self) -> bool:
        """Whether there is a run."""
        return self.trace is not None

    def breaks(self, row: str) -> bool:
        """Return whether the run shows how this row breaks the property."""
        if self.trace is None:
            return False
        return row == (self.row or (self.trace.steps[-1].row.id if self.trace.steps else ""))

    @builtins.property
    def place(self) -> str:
        """Where the search was: the tables and the bound, with its sizes where it has no name."""
        if self.bound:
            return f"{self.protocol} at {self.bound}"
        return f"{self.protocol} at {', '.join(f'{name} {size}' for name, size in sorted(self.sizes.items()))}"

    def lines(self) -> list[str]:
        """Return the search as text, without the run that it found."""
        if self.message:
            return [f"not searched from the initial states: {self.message}"]
        if self.trace is not None:
            last = f", the last by {self.trace.steps[-1].row.id}" if self.trace.steps else ""
            last += f", in front of {self.row}" if self.row else ""
            least = ", the shortest there" if self.shortest else ""
            start = "" if self.own_start else ", from a start that the bound declares"
            run = counted(len(self.trace.steps), "row")
            return [f"reached: a run of {run} breaks it at {self.place}{least}{last}{start}"]
        ended = (
            f"closed: every reachable state, {self.states:,}, was seen"
            if self.closed
            else f"the budget of {self.seconds:.0f} s was spent after {self.states:,} states"
        )
        lines = [f"not reached within depth {self.depth} of {self.place} ({ended})"]
        if self.candidate is not None and self.candidate.broken_by:
            lines.append(
                f"no reached state has {self.candidate.facts}; that none has is no lemma by itself: "
                f"{self.candidate.broken_by} breaks it"
            )
        elif self.candidate is not None:
            lines += [
                f"no reached state has {self.candidate.facts}; a lemma that excludes it would block this",
                f"  candidate: {text(self.candidate.lemma)}",
                "  it holds in the initial states, and "
                + ("every row keeps it at this bound" if self.closed else f"in all {self.states:,} states seen")
                + ("; it is inductive: every row is proved to keep it" if self.candidate.kept else ""),
            ]
        return lines


__all__ = ["Candidate", "Searched"]
