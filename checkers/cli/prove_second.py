"""`fencepost prove --second-solver` and `--write-smt2`: what Z3 answers with unsat, as texts and asked of cvc5."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from fencepost.checkers.verdicts import Refusal

from .terminal import watching

if TYPE_CHECKING:
    from fencepost.checkers.proof import Folder, Hygiene, Proof, SecondOpinion

SECONDS = 10
"""Seconds of processor time that the second solver has for a question."""


@contextmanager
def folder(given: Path | None, needed: bool) -> Iterator[Folder | None]:
    """Yield the folder for questions: the one that is given, one that is removed later where it is needed, or None.

    Raises `Refusal` for one that is not empty or cannot be made, and where the second solver is needed and missing.
    """
    if not needed and given is None:
        yield None
        return
    from fencepost.checkers.proof import Folder
    from fencepost.checkers.proof.second import require

    if needed:
        require()
    if given is None:
        with tempfile.TemporaryDirectory(prefix="fencepost-smt2-") as made:
            yield Folder(Path(made))
        return
    try:
        given.mkdir(parents=True, exist_ok=True)
        full = any(given.iterdir())
    except OSError as error:
        raise Refusal(f"--write-smt2 {given}: {error.strerror}; name a new or an empty folder") from error
    if full:
        raise Refusal(f"--write-smt2 {given}: something is there already: name a new or an empty folder")
    yield Folder(given)


def asked(found: Proof, tidy: Hygiene | None, sample: int, limit: int) -> SecondOpinion:
    """Return what the second solver says of a proof and of the hygiene of tables."""
    from fencepost.checkers.proof import second_opinion

    questions = [*found.questions, *(tidy.kept if tidy is not None else ())]
    with watching("asking cvc5") as tell:
        return second_opinion(
            questions,
            sample=sample,
            limit=limit,
            progress=lambda done, total, last: tell(f"{done} of {total} questions, last {last}"),
        )
