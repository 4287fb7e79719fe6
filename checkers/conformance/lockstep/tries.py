"""The attempts to explain a step, and the message where none fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.conformance.requests.outcomes import Outcome, Reading
from fencepost.checkers.conformance.requests.results import Answer, different
from fencepost.checkers.unexplained import no_row_applies
from fencepost.traces.steps import Step


@dataclass(frozen=True, slots=True)
class Tried:
    """An outcome compared with a step: its answer, and whether answer and records are those of the step."""

    reading: Reading
    outcome: Outcome
    told: Mapping[str, Any]
    answered: bool
    wrote: bool

    def answer(self) -> Answer:
        """Return what would have been right."""
        return Answer.of(self.outcome, self.told)


def unlike(step: Step, tried: Sequence[Tried]) -> tuple[str, str, tuple[Answer, ...]]:
    """Return what does not fit (`row`, `records`, `answer` or `both`), a sentence, and what would have been right."""
    answers = different(one.answer() for one in tried)
    answered, wrote = [one for one in tried if one.answered], [one for one in tried if one.wrote]
    name = step.name if step.request is None else step.request.request
    rows = ", ".join(dict.fromkeys(row for one in (answered or wrote or tried) for row in one.outcome.rows))
    if not tried:
        return "row", no_row_applies(name), answers
    if answered:
        return "records", f"The answer of this {name} is that of {rows}, the records are not.", answers
    if wrote:
        return "answer", f"The records of this {name} are those of {rows}, the answer is not.", answers
    return "both", f"Neither the answer nor the records of this {name} are those of {rows}.", answers
