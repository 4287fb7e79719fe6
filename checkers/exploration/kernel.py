"""The kernel: a function for each row and for each few properties, printed for scalars or for NumPy columns.

Machine code: `row(cells, start, stop, out, source, code, alive, parts, mids, mid_of, mid_code)` expands the states
`cells[start:stop]` until a buffer is full and returns the first state that is not done, and the numbers of successors
and moments. NumPy: `row(v, sink)` expands all columns of `v`. Both give successors by state, then by binding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fencepost.checkers.conjuncts import update_conjuncts
from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Always, Sometimes, Step, Update
from fencepost.model.language.terms import Term, Var
from fencepost.model.language.walk import free

from .conditions import solution
from .plan import STAGE_SHIFT, TWICE, RowPlan, StagePlan
from .printer import Printer, Reads

MOST_GROUPS = 8
"""Records of one stage from which the NumPy target gives up: it applies each of the 2**n parts to whole columns."""

Writer = Callable[[list[str], str, str, str, str], None]
"""Prints an update: its own conditions, its position, whether the keys are inside, its register, its group."""

FULL = "return i, first_k, first_m"


def row_function(printer: Printer, name: str, plan: RowPlan) -> list[str]:
    """Return the lines of a row's function."""
    return (_Columns if printer.columns else _Scalars)(printer, plan).function(name)


class _Scalars:
    """Prints a row for the compiler."""

    state = "v"

    def __init__(self, printer: Printer, plan: RowPlan) -> None:
        self.p, self.plan = printer, plan
        self.fault = plan.layout.fault

    def function(self, name: str) -> list[str]:
        p = self.p
        p.count(self.plan.conditions)
        for stage in self.plan.stages:
            p.count(stage.terms())
        p.open(f"def {name}(cells, start, stop, out, source, code, alive, parts, mids, mid_of, mid_code):", lazy=True)
        p.line("k = 0")
        p.line("m = 0")
        if self._needs_later:
            for array in ("at", "to", "of"):
                p.line(f"{array} = np.empty({max(stage.size for stage in self.plan.stages)}, np.int64)")
        p.open("for i in range(start, stop):", arrays=("v",), lazy=True)
        p.line("v = cells[i]")
        p.line("first_k = k")
        p.line("first_m = m")
        opened, number = self._bind()
        p.barrier()
        p.line("alive[i] = 1")
        p.line("if k == len(out):")
        p.line(f"    {FULL}")
        p.line("o = out[k]")
        p.scopes[-1].arrays.add("o")
        self._stages()
        p.line("source[k] = i")
        p.line(f"code[k] = {number}")
        p.line(f"parts[k] = {'m - m0' if self.plan.has_moments else '0'}")
        p.line("k += 1")
        for _ in range(opened + 1):
            p.close()
        p.line("return stop, k, m")
        p.close()
        return p.scopes[-1].lines

    def _test(self, condition: str) -> None:
        self.p.line(f"if not {condition}:")
        self.p.line("    continue")

    def _bind(self) -> tuple[int, str]:
        """Bind the parameters and test the guard on the way; return the loops opened and the number of the binding."""
        p, plan, reads = self.p, self.plan, Reads("v", "v")
        waiting = list(plan.conditions)
        known: frozenset[Var[Any]] = frozenset()
        opened = 0
        weights = dict(zip(plan.row.params, plan.radix.weights, strict=True))
        number = []

        def ready() -> None:
            for condition in [c for c in waiting if free(c) <= known]:
                waiting.remove(condition)
                self._test(p.term(condition, reads))

        ready()
        for variable in plan.order:
            kind, low = variable.kind, p.code.low(variable.kind)
            equal = self._equation(waiting, variable, known)
            if equal is not None:
                name = p.fresh("x")
                p.line(f"{name} = {p.term(equal, reads)}")
                p.line(f"if {name} < {low} or {name} > {p.code.high(kind)}:")
                p.line("    continue")
                p.bind(variable, name)
                position = f"({name} - {low})" if low else name
            else:
                position = p.fresh("j")
                p.loop(variable, position)
                opened += 1
            number.append(f"{position} * {weights[variable]}")
            known |= {variable}
            ready()
        return opened, " + ".join(number) or "0"

    def _equation(self, waiting: list[Term[bool]], variable: Var[Any], known: frozenset[Var[Any]]) -> Term[Any] | None:
        """Return what the variable must equal, and strike the condition that says so."""
        if not self.p.code.contiguous(variable.kind):
            return None
        for condition in waiting:
            equal = solution(condition, variable, known)
            if equal is not None:
                waiting.remove(condition)
                return equal
        return None

    # -- stages ----------------------------------------------------------------------------------------------------
    def _stages(self) -> None:
        """Print the stages onto the successor `o`, each reading what the one before left there."""
        p = self.p
        self._copy("o", self.state)
        self._begin_moments()
        for number, stage in enumerate(self.plan.stages):
            now = f"o{number}" if number else self.state
            if number:
                self._copy(now, "o")
                p.scopes[-1].arrays.add(now)
            reads = Reads(now, self.state)
            if number in self.plan.conflicting:
                p.line(f"twice{number} = {p.term(stage.conflict, reads)}")
            if self.plan.has_moments or (number and stage.reads_now):
                self._begin_later()
                self._updates(stage, reads, self._later)
                if self.plan.has_moments:
                    self._moments(number, stage)
                else:
                    self._apply()
            else:
                self._updates(stage, reads, self._at_once)
        self._end_moments()
        if self.plan.conflicting:
            self._conflicts([f"twice{number}" for number in self.plan.conflicting])

    def _conflicts(self, found: list[str]) -> None:
        """Mark a successor in whose making a cell was written twice with different values."""
        self.p.line(f"if {' or '.join(f'{one} != 0' for one in found)}:")
        self.p.line(f"    o[{self.fault}] = {TWICE}")

    def _begin_moments(self) -> None:
        if self.plan.has_moments:
            self.p.line("m0 = m")

    def _end_moments(self) -> None:
        """Leave the moments out where the whole firing is one step: of a single record, or without any."""
        if self.plan.has_moments and self.plan.one_step:
            self.p.line(f"if {self.plan.one_step}:")
            self.p.line("    m = m0")

    def _begin_later(self) -> None:
        self.p.line("n = 0")

    def _apply(self) -> None:
        self.p.line("apply(o, -1, n, at, to, of)")

    @property
    def _needs_later(self) -> bool:
        return self.plan.has_moments or any(stage.reads_now for stage in self.plan.stages[1:])

    def _copy(self, target: str, source: str) -> None:
        """Make the successor the state, or give the successor another name for the terms that a later stage reads."""
        if source == "o":
            self.p.line(f"{target} = o")
            return
        self.p.line(f"for c in range({self.fault + 1}):")
        self.p.line(f"    {target}[c] = {source}[c]")

    def _group(self, stage: StagePlan, update: Update) -> str:
        """Return the number of the group of an update, as text over its binders."""
        radix = stage.leading(update)
        parts = [str(stage.offsets[radix.variables])]
        for variable, weight in zip(radix.variables, radix.weights, strict=True):
            if not self.p.code.contiguous(variable.kind):
                raise Refusal(
                    f"row {self.plan.row.id}: writes a record for every {variable.kind}; exploration takes entities"
                )
            parts.append(f"({self.p.name_of(variable)} - {self.p.code.low(variable.kind)}) * {weight}")
        return " + ".join(parts)

    def _updates(self, stage: StagePlan, reads: Reads, write: Writer) -> None:
        """Print the updates of a stage: a loop for every run, and in it what their conditions share asked first."""
        p = self.p
        for run in stage.runs:
            for variable in run[0].binders:
                p.loop(variable)
            asked = [update_conjuncts(update.when) for update in run]
            shared = [c for c in asked[0] if all(c in other for other in asked)]
            self._open([p.term(c, reads) for c in shared])
            for update, conditions in zip(run, asked, strict=True):
                own = [p.term(c, reads) for c in conditions if c not in shared]
                position, inside = p.place(update.target, reads)
                write(own, position, inside, p.term(update.value, reads), self._group(stage, update))
            for _ in range(len(run[0].binders) + 1):
                p.close()

    def _open(self, conditions: list[str]) -> None:
        self.p.open(f"if {' and '.join(conditions) or 'True'}:", lazy=True)

    def _at_once(self, conditions: list[str], position: str, inside: str, value: str, group: str) -> None:
        """Print an update that writes into the successor."""
        p = self.p
        indent = ""
        if conditions:
            p.line(f"if {' and '.join(conditions)}:")
            indent = "    "
        if inside:
            p.line(f"{indent}if {inside}:")
            p.line(f"{indent}    o[{position}] = {value}")
            p.line(f"{indent}else:")
            p.line(f"{indent}    o[{self.fault}] = 1")
        else:
            p.line(f"{indent}o[{position}] = {value}")

    def _later(self, conditions: list[str], position: str, inside: str, value: str, group: str) -> None:
        """Print an update that waits until the stage has read all that it reads."""
        p = self.p
        indent = ""
        if conditions:
            p.line(f"if {' and '.join(conditions)}:")
            indent = "    "
        if inside:
            position, value = f"(({position}) if {inside} else {self.fault})", f"({value} if {inside} else 1)"
        p.line(f"{indent}n = later(n, {position}, {value}, {group}, at, to, of)")

    def _moments(self, number: int, stage: StagePlan) -> None:
        """Print the stage applied in every part, and then in whole."""
        p = self.p
        active = f"active{number}"
        p.line(f"{active} = groups(n, of){'' if stage.depth else ' | 1'}")
        p.line(f"if m + (1 << count({active})) > len(mids):")
        p.line(f"    {FULL}")
        p.line(f"m = moments(o, {active}, n, at, to, of, mids, mid_of, mid_code, m, k, {number << STAGE_SHIFT})")


class _Columns(_Scalars):
    """Prints a row for NumPy: parameters in Python loops, states in columns."""

    state = "u"

    def function(self, name: str) -> list[str]:
        p = self.p
        p.count(self.plan.conditions)
        for stage in self.plan.stages:
            p.count(stage.terms())
        p.open(f"def {name}(v, sink):", arrays=("v",), lazy=True)
        p.open("for _ in range(1):", lazy=True)
        p.line("g = True")
        opened, number = self._bind()
        p.barrier()
        p.line(f"u, index = narrow(v, {self.mask})")
        p.line("if len(index) == 0:")
        p.line("    continue")
        p.scopes[-1].arrays.update(("u", "o"))
        self._stages()
        p.line(f"sink(o, index, {number}, parts)")
        for _ in range(opened + 1):
            p.close()
        p.close()
        return p.scopes[-1].lines

    mask = "g"

    def _test(self, condition: str) -> None:
        name = self.p.fresh("g")
        self.p.line(f"{name} = {self.mask} & {condition}")
        self.p.line(f"if none({name}):")
        self.p.line("    continue")
        self.mask = name

    def _equation(self, waiting: list[Term[bool]], variable: Var[Any], known: frozenset[Var[Any]]) -> Term[Any] | None:
        return None

    def _conflicts(self, found: list[str]) -> None:
        for one in found:
            self.p.line(f"put(o, {self.fault}, {TWICE}, {one} != 0)")

    def _copy(self, target: str, source: str) -> None:
        self.p.line(f"{target} = {source}.copy()")

    def _open(self, conditions: list[str]) -> None:
        self.shared = " & ".join(conditions) or "True"
        self.p.open("for _ in range(1):")

    def _at_once(self, conditions: list[str], position: str, inside: str, value: str, group: str) -> None:
        if inside:
            position, value = f"pick({inside}, {position}, {self.fault})", f"pick({inside}, {value}, 1)"
        self.p.line(f"put(o, {position}, {value}, {' & '.join([self.shared, *conditions])})")

    def _later(self, conditions: list[str], position: str, inside: str, value: str, group: str) -> None:
        if inside:
            position, value = f"pick({inside}, {position}, {self.fault})", f"pick({inside}, {value}, 1)"
        self.p.line(f"later.append(({position}, {value}, {' & '.join([self.shared, *conditions])}, {group}))")

    def _begin_moments(self) -> None:
        self.p.line("parts = []")

    def _end_moments(self) -> None:
        if self.plan.has_moments and self.plan.one_step:
            self.p.line(f"parts = several(parts, {self.plan.one_step})")

    def _begin_later(self) -> None:
        self.p.line("later = []")

    def _apply(self) -> None:
        self.p.line("apply(o, later)")

    def _moments(self, number: int, stage: StagePlan) -> None:
        if len(stage.groups) > MOST_GROUPS:
            raise Refusal(
                f"row {self.plan.row.id}: {len(stage.groups)} records at once are too many for numpy; use llvm"
            )
        always = 0 if stage.depth else 1
        arguments = f"o, later, {len(stage.groups)}, {number << STAGE_SHIFT}, parts, {always}"
        self.p.line(f"active{number} = moments({arguments})")


def check_function(printer: Printer, name: str, properties: Sequence[Always | Sometimes]) -> list[str]:
    """Return the lines of `name(cells, found)`: the first state that shows each property's failure, or its witness.

    `found` holds -1 for what is still to be found; other entries are left alone.
    """
    p = printer
    p.count(one.term for one in properties)
    reads = Reads("v", "v")
    if p.columns:
        p.open(f"def {name}(v, found):", arrays=("v",), lazy=True)
    else:
        p.open(f"def {name}(cells, found):", lazy=True)
        p.open("for i in range(len(cells)):", arrays=("v",))
        p.line("v = cells[i]")
    for j, one in enumerate(properties):
        p.open(f"if found[{j}] < 0:", lazy=True)
        text = p.term(one.term, reads)
        shown = text if isinstance(one, Sometimes) else f"({text} == 0)"
        if p.columns:
            p.line(f"found[{j}] = earliest({shown}, v)")
        else:
            p.line(f"if {shown}:")
            p.line(f"    found[{j}] = i")
        p.close()
    for _ in range(1 if p.columns else 2):
        p.close()
    return p.scopes[-1].lines


def step_function(printer: Printer, name: str, one: Step, plan: RowPlan | None) -> list[str]:
    """Return the lines of `name(before, before_at, after, after_at, code) -> int`: the first step that fails, or -1.

    Compiled: `before[before_at[i]]` and `after[after_at[i]]` are the rows of step i, `code[i]` the number of its
    binding.
    NumPy: `name(v, o, c)` on columns.
    """
    p = printer
    p.count((one.term,))
    if p.columns:
        p.open(f"def {name}(v, o, c):", arrays=("v", "o"), lazy=True)
    else:
        p.open(f"def {name}(before, before_at, after, after_at, code):", lazy=True)
        p.open("for i in range(len(code)):", arrays=("v", "o"), lazy=True)
        p.line("v = before[before_at[i]]")
        p.line("o = after[after_at[i]]")
        p.line("c = code[i]")
    if plan is not None:
        wanted = free(one.term)
        radix = plan.radix
        for variable, weight, size in zip(radix.variables, radix.weights, radix.sizes, strict=True):
            if variable in wanted:
                name = p.fresh("x")
                position = f"(c // {weight} % {size})"
                p.line(f"{name} = {p.register(variable.kind, position)}")
                p.bind(variable, name)
    text = p.term(one.term, Reads("v", "v", "o"))
    if p.columns:
        p.line(f"return earliest({text} == 0, v)")
    else:
        p.line(f"if not {text}:")
        p.line("    return i")
        p.close()
        p.line("return -1")
    p.close()
    return p.scopes[-1].lines
