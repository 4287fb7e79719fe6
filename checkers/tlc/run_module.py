"""A written run as a TLA+ module that extends the protocol's: its rows one by one, and what the run says of each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.counterexample import binding_text, changed
from fencepost.checkers.stepping import WrittenRun, WrittenStep
from fencepost.checkers.stepping.written import keys_of
from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Property, State, Step

from .actions import Action
from .claims import step_text
from .expressions import Scope
from .layout import bullet, comment, wrapped
from .module import DEADLOCK, Module
from .names import Globals


@dataclass(frozen=True)
class RunModule:
    """A run as text, with its configuration and what TLC calls that which it is asked.

    `initial`, `written` and `shown` are the invariants that the first state is an initial one, that every state is as
    the run says, and that what the run shows is not so at its end, `None` where it shows nothing; of a step `shown` is
    a property. `count` is the variable that counts the rows taken. `still` are the steps by rows that change nothing.
    """

    module: Module
    run: WrittenRun
    name: str
    text: str
    config: str
    initial: str
    written: str
    shown: str | None
    count: str
    still: tuple[int, ...]


def run_module(module: Module, bound: str, run: WrittenRun, shows: Property | str | None) -> RunModule:
    """Return a run as a module that extends the rendered one; `shows` is a property, `DEADLOCK` or nothing.

    Of a run that ends inside a row the whole row is taken. Raises `Refusal` for a run that does not begin at an initial
    state, and for one without a size that the module needs.
    """
    if not run.initial:
        raise Refusal(
            f"{module.protocol.name}: the run begins anywhere, as a counterexample to induction does; TLC's runs begin "
            "at an initial state"
        )
    missing = [one.size for one in module.constants if one.size not in sizes_of(run)]
    if missing:
        raise Refusal(f"{module.protocol.name}: the run has no size of {missing[0]}; it is one of another protocol")
    return _Run(module, bound, run, shows).rendered()


def sizes_of(run: WrittenRun) -> dict[str, int]:
    """Return the sizes of a bound whose world a run has; raises `Refusal` for a world that is none of a bound."""
    for name, entities in run.world.entities.items():
        if entities != tuple(range(len(entities))):
            raise Refusal(f"the entities of {name} are not numbered from 0; give a run of explore")
    sizes = {name: len(entities) for name, entities in run.world.entities.items()}
    return sizes | {name: high for name, (_, high) in run.world.ranges.items()}


class _Run:
    """A run while it is rendered."""

    def __init__(self, module: Module, bound: str, run: WrittenRun, shows: Property | str | None) -> None:
        self.module, self.bound, self.run, self.shows = module, bound, run, shows
        self.expressions = module.expressions
        names = Globals(re.findall(r"\w+", module.text))  # local names too, which no top-level name of ours may hide
        self.name = names.name("module", f"{module.name}_run")
        self.count, self.as_written = names.name("count", "rows_taken"), names.name("flag", "as_written")
        self.rows = [names.name(("row", n), f"Row_{n}") for n in range(1, len(run.steps) + 1)]
        self.changes = [names.name(("changes", n), f"Changes_{n}") for n in range(1, len(run.steps) + 1)]
        words = ("Start", "Take", "RunSpec", "StartIsInitial", "StatesAreAsWritten", "NotAtTheEnd")
        self.start, self.take, self.spec, self.initial, self.written, self.shown = (names.name(w, w) for w in words)
        self.names = names

    def rendered(self) -> RunModule:
        """Return the module."""
        run, length = self.run, len(self.run.steps)
        shown = self._shown()
        befores = (run.start, *(one.state for one in run.steps))
        body: list[str] = ["", f"VARIABLES {self.count}, {self.as_written}", "", f"{self.start} =="]
        for state in self.module.protocol.states:
            body += bullet(f"{self.expressions.state(state)} = {self._function(state)}", 2)
        for number, step in enumerate(run.steps, 1):
            body += self._step(number, step, changed(befores[number - 1], step.state))
        body += ["", f"{self.take} =="]
        for number in range(1, length + 1):
            body += wrapped(f"  \\/ {self._taking(number)}", 5)
        end = f"{self.count} = {length} /\\ UNCHANGED <<{self.count}, {self.as_written}, vars>>"
        body += [f"  \\/ {end}", ""]
        body += wrapped(
            f"{self.spec} == {self.start} /\\ {self.count} = 0 /\\ {self.as_written} = TRUE /\\ "
            f"[][{self.take}]_<<{self.count}, {self.as_written}, vars>>",
            2,
        )
        body += ["", f"{self.initial} == {self.count} = 0 => Init", "", f"{self.written} == {self.as_written}"]
        body += ["", *shown] if shown else []
        text = "\n".join(line.rstrip() for line in (*self._head(), *body, "=" * 80)) + "\n"
        return RunModule(
            self.module,
            run,
            self.name,
            text,
            self._config(bool(shown)),
            self.initial,
            self.written,
            self.shown if shown else None,
            self.count,
            tuple(n for n, one in enumerate(run.steps, 1) if one.row.id not in self.module.actions),
        )

    def _head(self) -> list[str]:
        run, protocol = self.run, self.module.protocol
        shows = self.shows if isinstance(self.shows, str) or self.shows is None else self.shows.id
        what = f"A run of {len(run.steps)} rows of {protocol.name} at {self.bound}"
        return [
            f" MODULE {self.name} ".center(80, "-"),
            *comment(f"{what}, which ends with {shows}." if shows else f"{what}."),
            *comment(
                f"Made from the tables of {protocol.name} {protocol.hash}; not to be edited. Row_n is the n-th row "
                "with its parameters, Changes_n what the run says that it changes. TLC takes these rows and no others: "
                "a deadlock means that the next row is not enabled."
            ),
            f"EXTENDS {self.module.name}",
        ]

    def _config(self, shown: bool) -> str:
        lines = [f"SPECIFICATION {self.spec}", f"INVARIANT {self.initial}", f"INVARIANT {self.written}"]
        if shown:
            lines.append(f"{'PROPERTY' if isinstance(self.shows, Step) else 'INVARIANT'} {self.shown}")
        lines += self.module.constant_lines(self.bound, sizes_of(self.run))
        return "\n".join(lines) + "\n"

    # -- states ----------------------------------------------------------------------------------------------------
    def _function(self, state: State[Any]) -> str:
        """Return the value of a variable in the first state: a function as its commonest value and the others."""
        e, start = self.expressions, self.run.start
        if not state.keys:
            return e.literal(start.read(state, ()), state.kind)
        values = {keys: e.literal(start.read(state, keys), state.kind) for keys in keys_of(state, self.run.world)}
        scope, names = Scope(), []
        for number in range(1, len(state.keys) + 1):
            name, scope = scope.word("k" if number == 1 else f"k{number}", self.expressions.globals.taken)
            names.append(name)
        domains = ", ".join(f"{name} \\in {e.domain(kind)}" for name, kind in zip(names, state.keys, strict=True))
        if not values:
            return f"[{domains} |-> None]"
        [(usual, _)] = Counter(values.values()).most_common(1)
        cases = [
            " /\\ ".join(f"{n} = {key}" for n, key in zip(names, self._keys(state, keys), strict=True)) + f" -> {value}"
            for keys, value in values.items()
            if value != usual
        ]
        value = f"CASE {' [] '.join((*cases, f'OTHER -> {usual}'))}" if cases else usual
        return f"[{domains} |-> {value}]"

    def _keys(self, state: State[Any], keys: tuple[Any, ...]) -> Iterable[str]:
        return (self.expressions.literal(key, kind) for key, kind in zip(keys, state.keys, strict=True))

    # -- steps -----------------------------------------------------------------------------------------------------
    def _step(
        self, number: int, step: WrittenStep, changes: Mapping[tuple[State[Any], tuple[Any, ...]], tuple[Any, Any]]
    ) -> list[str]:
        """Return a step's row with its parameters, and what the run says that it changes."""
        e = self.expressions
        about = f"{number}. {step.row.id} {step.row.event.name}({binding_text(step.binding)})"
        lines = ["", *comment(about), *wrapped(f"{self.rows[number - 1]} == {self._row(step)}", 2)]
        if self._inside(number):
            return lines
        by_state: dict[State[Any], list[str]] = {}
        for (state, keys), (_, value) in changes.items():
            cell = f"![{', '.join(self._keys(state, keys))}] = " if keys else ""
            by_state.setdefault(state, []).append(cell + e.literal(value, state.kind))
        lines += [f"{self.changes[number - 1]} =="]
        for state, cells in by_state.items():
            name = e.state(state)
            value = f"[{name} EXCEPT {', '.join(cells)}]" if state.keys else cells[0]
            lines += bullet(f"{name}' = {value}", 2)
        same = [e.state(state) for state in self.module.protocol.states if state not in by_state]
        return [*lines, *(bullet(f"UNCHANGED <<{', '.join(same)}>>", 2) if same else ())]

    def _row(self, step: WrittenStep) -> str:
        """Return a step as what its row is in `Next`, for the parameters that are written."""
        action = self.module.actions.get(step.row.id)
        if action is None:
            return "UNCHANGED vars"
        return action.over("\\E", self._given(action, step, action.head))

    def _given(self, action: Action, step: WrittenStep, more: str = "") -> str:
        """Return that the parameters of a step's row are those that are written, and what else is to hold of them."""
        names = action.scope.variables
        given = (f"{names[v]} = {self.expressions.literal(step.binding[v], v.kind)}" for v in step.row.params)
        return " /\\ ".join((*given, *((more,) if more else ()))) or "TRUE"

    def _taking(self, number: int) -> str:
        """Return how a step is taken: by its row, which is a step of `Next`, to the state that is written."""
        said = "TRUE" if self._inside(number) else self.changes[number - 1]
        return (
            f"{self.count} = {number - 1} /\\ {self.rows[number - 1]} /\\ Next = TRUE /\\ {self.count}' = {number} /\\ "
            f"{self.as_written}' = {said}"
        )

    def _inside(self, number: int) -> bool:
        """Return whether a step is the last of a run that ends inside it, so that what is written is no state of it."""
        return self.run.inside and number == len(self.run.steps)

    # -- what the run shows ----------------------------------------------------------------------------------------
    def _shown(self) -> list[str]:
        """Return the claim that what the run shows is not so at its end."""
        length, shows = len(self.run.steps), self.shows
        if shows is None:
            return []
        if not isinstance(shows, Step):
            name = DEADLOCK if isinstance(shows, str) else self.module.invariants[shows.id]
            return wrapped(f"{self.shown} == {self.count} = {length} => {name}", 2)
        if not length:
            raise Refusal(f"{self.module.protocol.name}: {shows.id} is about steps, and the run has none")
        claim = step_text(shows, self.module.actions.values(), self.expressions)
        refusal = self.module.refusals.get(self.run.steps[-1].row.id)
        if refusal is not None:
            if shows.is_of(refusal.row):
                term = self.expressions.text(shows.term, refusal.scope)
                claim = refusal.over("\\A", f"({self._given(refusal, self.run.steps[-1])}) => ({term})")
            else:
                claim = "TRUE"
        return wrapped(f"{self.shown} == [][{self.count} = {length - 1} => ({claim})]_{self.count}", 2)


__all__ = ["RunModule", "run_module", "sizes_of"]
