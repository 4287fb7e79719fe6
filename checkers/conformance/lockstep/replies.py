"""The fields of an answer besides its error: terms of the event, over the states in front of the row and behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.model.language import Event, Term, Var
from fencepost.model.language.terms import Next
from fencepost.model.language.walk import free, nodes, rewrite

from .cells import Cells
from .printing import Function, Printer


@dataclass(frozen=True, slots=True)
class Reply:
    """A value of the answer: its reads of the state after the row, and its computation from them in the one before.

    `answers` is 1 where it reads the error that the row says, else 0.
    """

    asked: tuple[Function, ...]
    value: Function
    answers: int

    def around(self, before: Cells, after: Cells, values: Sequence[Any], answer: Any) -> Any:
        """Return the value, for the values of the event's parameters and what the row answers."""
        found = [ask(after, *values) for ask in self.asked]
        return self.value(before, *values, *found, *[answer] * self.answers)


def compiled_reply(printer: Printer, term: Term[Any], event: Event) -> Reply:
    """Return a value of an event's answer as functions of states and the event's parameters."""
    asked = [node for node in nodes(term) if isinstance(node, Next)]
    answers = [var for var in free(term) if var.name == "answer"]
    stands = {node: Var(f"next {number}", node.kind) for number, node in enumerate(asked)}
    plain = rewrite(term, lambda node: stands.get(node) if isinstance(node, Next) else None)
    params = event.params
    return Reply(
        tuple(printer.function(node.term, params) for node in asked),
        printer.function(plain, (*params, *stands.values(), *answers)),
        len(answers),
    )
