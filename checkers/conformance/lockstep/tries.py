"""What does not fit where no outcome of the rows explains a step."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.checkers.conformance.requests.adapting import Tried
from fencepost.checkers.conformance.requests.results import Answer, different
from fencepost.checkers.unexplained import no_row_applies
from fencepost.traces.steps import Step


def unlike(step: Step, tried: Sequence[Tried]) -> tuple[str, str, tuple[Answer, ...]]:
    """Return what does not fit (`row`, `records`, `answer` or `both`), a sentence, and what would have been right."""
    answers = different(one.answer() for one in tried)
    answered, wrote = [one for one in tried if one.answered], [one for one in tried if one.length is not None]
    name = step.name if step.request is None else step.request.request
    rows = ", ".join(dict.fromkeys(row for one in (answered or wrote or tried) for row in one.outcome.rows))
    if not tried:
        return "row", no_row_applies(name), answers
    if answered:
        return "records", f"The answer of this {name} is that of {rows}, the records are not.", answers
    if wrote:
        return "answer", f"The records of this {name} are those of {rows}, the answer is not.", answers
    return "both", f"Neither the answer nor the records of this {name} are those of {rows}.", answers
