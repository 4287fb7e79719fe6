"""An event as one Python function: it finds the row that applies and makes its changes, without a list of them.

What rows as functions of their own do one after the other this does at once: every value is computed in the state
before the row, then written. `WholeRows.applicable` and `apply` are its judges in the tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.model.language import Row, Term, Var
from fencepost.model.language.effects import Update
from fencepost.model.language.state import State
from fencepost.model.language.terms import TRUE, Ite, Lit, Named
from fencepost.model.language.walk import bare, children, free, nodes

from .cells import MISSING
from .printing import Body, Function, Printer

MOST_INLINE = 12
"""A named term of more nodes that several rows ask is evaluated once: it is not printed where it stands."""


@dataclass(frozen=True, slots=True)
class Run:
    """The rows of one event in one table, of which the first that applies counts where `given` holds."""

    given: Term[bool]
    rows: tuple[Row, ...]


def transition(
    printer: Printer, numbers: Mapping[State[Any], int], params: Sequence[Var[Any]], runs: Sequence[Run]
) -> Function:
    """Return the function that takes cells and parameters by name, makes a row's changes and returns the row's id.

    It returns "" where no row applies, and changes nothing then.
    """
    body = Body(_asked_once(runs))
    lines = [f"{printer.variable(var)} = P[{var.name!r}]" for var in params]
    for run in runs:
        pad = ""
        if run.given is not TRUE:
            lines.append(f"if {printer.text(run.given, body)}:")
            pad = "    "
        for row in run.rows:
            lines.append(f"{pad}if {printer.text(row.when, body)}:")
            updates = [update for stage in row.stages for update in stage.updates]
            made = _Changes(printer, numbers, body, frozenset(params), updates).lines()
            lines += [f"{pad}    {line}" for line in (*made, f"return {row.id!r}")]
    return printer.of_cells("P", [*lines, "return ''"], body)


def _asked_once(runs: Sequence[Run]) -> set[Term[Any]]:
    """Return the named terms that are printed where they stand: those of one guard alone, and small ones."""
    guards = [one for run in runs for one in (run.given, *(row.when for row in run.rows))]
    asked = Counter(node for guard in guards for node in nodes(guard) if isinstance(node, Named))
    found = {node for node, times in asked.items() if times == 1 or sum(1 for _ in nodes(node)) <= MOST_INLINE}
    effects = [one for run in runs for row in run.rows for stage in row.stages for one in stage.updates]
    written = {node for one in effects for term in (one.when, one.target, one.value) for node in nodes(term)}
    return found | {node for node in written if isinstance(node, Named) and node not in asked}


class _Changes:
    """The lines by which the changes of a row are made."""

    def __init__(
        self,
        printer: Printer,
        numbers: Mapping[State[Any], int],
        body: Body,
        params: frozenset[Var[Any]],
        updates: Sequence[Update],
    ) -> None:
        self._printer, self._numbers, self._body, self._params, self._updates = printer, numbers, body, params, updates
        self._targets = Counter(update.target.state for update in updates)
        self._count = 0

    def lines(self) -> list[str]:
        """Return the lines: values first, then what is written."""
        if not self._updates:
            return []
        found, direct, late = self._shared(), list[str](), False
        for update in self._updates:
            if not update.binders and update.when is TRUE and self._targets[update.target.state] == 1:
                key, value = self._held(self._key(update), found), self._held(self._text(update.value), found)
                direct += self._write(update.target.state, key, value)
            else:
                found += self._loops(update)
                late = True
        self._body.given.clear()
        if late:
            found.insert(0, "late = []")
            direct += ["for change in late:", "    _write(S, *change)"]
        return [*found, *direct, "S.memo.clear()"]

    def _name(self, letter: str) -> str:
        self._count += 1
        return f"{letter}{self._count}_"

    def _held(self, text: str, lines: list[str]) -> str:
        """Return the name of a variable that has a value, added by a line if it is none already."""
        if text.isidentifier():
            return text
        name = self._name("n")
        lines.append(f"{name} = {text}")
        return name

    def _text(self, term: Term[Any]) -> str:
        return self._printer.text(term, self._body)

    def _key(self, update: Update) -> str:
        keys = [self._text(key) for key in update.target.keys]
        return keys[0] if len(keys) == 1 else f"({', '.join(keys)})"

    # -- what is the same for several values -----------------------------------------------------------------------
    def _shared(self) -> list[str]:
        """Have in variables what loops would evaluate again and again, or several updates."""
        asked: Counter[Term[Any]] = Counter()
        for update in self._updates:
            for one in _terms(update):
                asked.update(self._steady(one, self._params) * (2 if update.binders else 1))
        return [self._keep(one) for one, times in asked.items() if times > 1]

    def _keep(self, term: Term[Any]) -> str:
        text, name = self._text(term), self._name("x")
        self._body.given[term] = name
        return f"{name} = {text}"

    def _steady(self, term: Term[Any], known: frozenset[Var[Any]]) -> list[Term[Any]]:
        """Return the largest parts of a term that ask no other variables and have a value in any state."""
        if isinstance(term, (Lit, Var)) or term in self._body.given:
            return []
        if free(term) <= known and self._printer.is_total(term):
            return [term]
        return [found for inner in children(term) for found in self._steady(inner, known)]

    # -- changes ---------------------------------------------------------------------------------------------------
    def _loops(self, update: Update) -> list[str]:
        """Return the lines that note an update for every binding under its condition, where it changes anything."""
        lines, pad, known, kept = list[str](), "", self._params, list[Term[Any]]()
        for var in update.binders[:-1]:
            lines.append(pad + self._opens(var))
            pad, known = pad + "    ", known | {var}
            for one in dict.fromkeys(found for term in _terms(update) for found in self._steady(term, known)):
                kept.append(one)
                lines.append(pad + self._keep(one))
        value = bare(update.value)
        condition = self._body.given.get(value.condition) if isinstance(value, Ite) else None
        if isinstance(value, Ite) and condition and update.binders and self._begins(update, value.otherwise):
            # What the condition leaves out is as it was in the beginning: only what is in the table changes.
            number, inner = self._numbers[update.target.state], pad + "    "
            lines += [f"{pad}if {condition}:", *(inner + line for line in self._innermost(update, value.then))]
            lines += [f"{pad}elif {self._body.table(number)}:"]
            lines += [inner + line for line in self._innermost(update, value.otherwise)]
        else:
            lines += [pad + line for line in self._innermost(update, update.value)]
        for one in kept:
            del self._body.given[one]
        return lines

    def _opens(self, var: Var[Any]) -> str:
        return f"for {self._printer.variable(var)} in {self._printer.domain(var.kind, self._body)}:"

    def _innermost(self, update: Update, term: Term[Any]) -> list[str]:
        """Return the lines of the last loop, in which a cell takes the value of a term."""
        lines, pad = [self._opens(var) for var in update.binders[-1:]], "    " if update.binders else ""
        if update.when is not TRUE:
            lines.append(f"{pad}if {self._text(update.when)}:")
            pad += "    "
        state = update.target.state
        number, key, value = self._numbers[state], self._key(update), self._text(term)
        if not self._is_alone(update):
            return [*lines, f"{pad}late.append(({number}, {key}, {value}))"]
        table, initial = self._body.table(number), self._printer.constant(self._printer.initial[number])
        differs = f"k_ in {table}" if self._begins(update, term) else f"n_ != {table}.get(k_, {initial})"
        lines += [f"{pad}k_ = {key}", f"{pad}n_ = {value}", f"{pad}if {differs}:"]
        return [*lines, f"{pad}    late.append(({number}, k_, n_))"]

    def _is_alone(self, update: Update) -> bool:
        """Whether nothing else of the row writes a cell that this does, and no two bindings the same."""
        first = self._printer.initial[self._numbers[update.target.state]]
        alone = self._targets[update.target.state] == 1 and first is not MISSING
        return alone and set(update.binders) <= set(update.target.keys)

    def _begins(self, update: Update, term: Term[Any]) -> bool:
        """Whether a term is what the cell begins with, so that whatever is in its table is something else."""
        return (
            isinstance(term, Lit)
            and self._is_alone(update)
            and term.value == self._printer.initial[self._numbers[update.target.state]]
        )

    def _write(self, state: State[Any], key: str, value: str) -> Iterator[str]:
        number = self._numbers[state]
        table, first = self._body.table(number), self._printer.initial[number]
        if first is MISSING:
            yield f"{table}[{key}] = {value}"
            return
        initial = self._printer.constant(first)
        yield f"if {value} == {initial}:"
        yield f"    {table}.pop({key}, None)"
        yield "else:"
        yield f"    {table}[{key}] = {value}"


def _terms(update: Update) -> Iterable[Term[Any]]:
    return (*update.target.keys, update.when, update.value)
