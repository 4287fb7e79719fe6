"""Questions that Z3 found unsatisfiable and on which a verdict rests, kept as SMT-LIB texts for another solver."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from fencepost.files import write_whole

from .definitions import NOTHING, Leave
from .session import Formula, Session
from .solvers import solver_of

Kind = Literal["goal", "never carried out", "stays in range", "allows standing still", "gap", "overlap"]
"""What an unsatisfiable question shows: that a row keeps a property (goal); that an update of a row is never carried
out, or leaves no range; that a property allows a step that changes nothing; that a table has no gap, or no overlap."""


@dataclass(frozen=True)
class Question:
    """A question that Z3 found unsatisfiable: what it shows, of what (a row, a property, or both), and its text."""

    kind: Kind
    about: str
    number: int
    text: str

    @property
    def name(self) -> str:
        """The name of the question's file, without a folder."""
        kind = [] if self.kind == "goal" else [self.kind.replace(" ", "-")]
        return "@".join([*(quote(word, safe="") for word in self.about.split(" × ")), *kind, f"{self.number}.smt2"])


@dataclass(frozen=True)
class Kept:
    """A question whose text is in a file."""

    kind: Kind
    about: str
    file: Path


def question(
    kind: Kind, about: str, number: int, session: Session, formulas: Sequence[Formula], leave: Leave = NOTHING
) -> Question:
    """Return a question about formulas with the definitions that they rely on.

    The text is that of a solver that was never asked: one that was prints what its preprocessor made of its assertions.
    """
    return Question(kind, about, number, "(set-logic ALL)\n" + solver_of(session, formulas, leave).to_smt2())


@dataclass(frozen=True)
class Folder:
    """A folder with a file for each question. Processes that share a proof write to it at once."""

    path: Path

    def keep(self, one: Question) -> Kept:
        """Write the text of a question, unless it is there: another seed or process asked the same."""
        file = self.path / one.name
        if not file.exists():
            write_whole(file, f"; {one.about}: {one.kind}\n{one.text}", sync=False)
        return Kept(one.kind, one.about, file)
