"""The kernel: a function for each row and for each few properties, printed for numba scalars or for NumPy columns.

numba, `row_i(cells, start, stop, out, source, code, alive, parts, mids, mid_of, mid_code) -> (state, successors, moments)`:
expands the states `cells[start:stop]` until a buffer is full and returns the first state that is not done. NumPy,
`row_i(v, sink)`: expands all columns of `v`. Both give successors in the same order: by state, then by binding.
"""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Always, Sometimes, Step, Update
from fencepost.model.language.terms import Term
from fencepost.model.language.walk import free

from .conditions import solution
from .plan import STAGE_SHIFT, RowPlan, StagePlan
from .printer import Printer, Reads

FULL = "return i, first_k, first_m"


def row_function(printer: Printer, name: str, plan: RowPlan) -> list[str]:
    """Return the lines of a row's function."""
    return (_Columns if printer.columns else _Scalars)(printer, plan).function(name)


class _Scalars:
    """Prints a row for numba."""

    state = "v"

    def __init__(self, printer: Printer, plan: RowPlan) -> None:
        self.p, self.plan = printer, plan
        self.fault = plan.layout.fault
        printer.count(plan.terms())

    def function(self, name: str) -> list[str]:
        p = self.p
        p.open(f"def {name}(cells, start, stop, out, source, code, alive, parts, mids, mid_of, mid_code):")
        p.line("k = 0")
        p.line("m = 0")
        for array in self._arrays()[:-1]:
            p.line(f"{array} = np.empty({self.fault + 1}, np.int64)")
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
        p.scopes[-1].arrays.update(self._arrays())
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
        known: frozenset[object] = frozenset()
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

    def _equation(self, waiting: list[Term[bool]], variable, known):  # type: ignore[no-untyped-def]
        if not self.p.code.contiguous(variable.kind):
            return None
        return next((t for c in waiting if (t := solution(c, variable, known)) is not None), None)

    # -- stages ----------------------------------------------------------------------------------------------------
    def _arrays(self) -> list[str]:
        """Return the arrays that the stages write, in order; the last is the successor."""
        fresh = 0
        for number, stage in enumerate(self.plan.stages):
            fresh += number == 0 or stage.reads_now or self.plan.has_moments
        return [f"w{i}" for i in range(fresh - 1)] + ["o"]

    def _stages(self) -> None:
        arrays = iter(self._arrays())
        now = self.state
        if self.plan.has_moments:
            self.p.line("m0 = m")
        for number, stage in enumerate(self.plan.stages):
            if self.plan.has_moments:
                target = next(arrays)
                self._moments(number, stage, target, now)
            else:
                reads = now
                target = now
                if number == 0 or stage.reads_now:
                    target = next(arrays)
                    self._copy(target, now)
                self._apply(stage, target, Reads(reads, self.state), "")
            now = target

    def _copy(self, target: str, source: str) -> None:
        self.p.line(f"for c in range({self.fault + 1}):")
        self.p.line(f"    {target}[c] = {source}[c]")

    def _group(self, stage: StagePlan, update: Update) -> str:
        """Return the number of the group of an update, as text over its binders."""
        radix = stage.leading(update)
        parts = [str(stage.offsets[radix.variables])]
        for variable, weight in zip(radix.variables, radix.weights, strict=True):
            parts.append(f"({self.p._of[variable][-1]} - {self.p.code.low(variable.kind)}) * {weight}")
            if not self.p.code.contiguous(variable.kind):
                raise Refusal(f"row {self.plan.row.id}: writes a record for every {variable.kind}; exploration takes entities")
        return " + ".join(parts)

    def _apply(self, stage: StagePlan, target: str, reads: Reads, chosen: str) -> None:
        """Print the updates of a stage, those only whose group is in the mask `chosen` if that is named."""
        p = self.p
        for run in stage.runs:
            for variable in run[0].binders:
                p.loop(variable)
            condition = p.term(run[0].when, reads)
            if chosen:
                condition = f"{condition} and ({chosen} >> ({self._group(stage, run[0])})) & 1"
            p.open(f"if {condition}:", lazy=True)
            for update in run:
                position, inside = p.place(update.target, reads)
                value = p.term(update.value, reads)
                if inside:
                    p.line(f"if {inside}:")
                    p.line(f"    {target}[{position}] = {value}")
                    p.line("else:")
                    p.line(f"    {target}[{self.fault}] = 1")
                else:
                    p.line(f"{target}[{position}] = {value}")
            for _ in range(len(run[0].binders) + 1):
                p.close()

    def _moments(self, number: int, stage: StagePlan, target: str, now: str) -> None:
        """Print a stage applied in every part, the whole of it among them."""
        p = self.p
        reads = Reads(now, self.state)
        p.line("active = 0")
        for run in stage.runs:
            for variable in run[0].binders:
                p.loop(variable)
            p.line(f"if {p.term(run[0].when, reads)}:")
            p.line(f"    active |= 1 << ({self._group(stage, run[0])})")
            for _ in run[0].binders:
                p.close()
        p.line("part = active")
        p.open("while True:", arrays=("d",), lazy=True)
        p.line("if m == len(mids):")
        p.line(f"    {FULL}")
        p.line("d = mids[m]")
        self._copy("d", now)
        self._apply(stage, "d", reads, "part")
        p.line("mid_of[m] = k")
        p.line(f"mid_code[m] = {number << STAGE_SHIFT} | part")
        p.line("m += 1")
        p.line("if part == active:")
        p.line(f"    for c in range({self.fault + 1}):")
        p.line(f"        {target}[c] = d[c]")
        p.line("if part == 0:")
        p.line("    break")
        p.line("part = (part - 1) & active")
        p.close()
        if len(self.plan.stages) == 1:
            p.line("if active & (active - 1) == 0:")
            p.line("    m = m0")


class _Columns(_Scalars):
    """Prints a row for NumPy: parameters in Python loops, states in columns."""

    state = "u"

    def function(self, name: str) -> list[str]:
        p = self.p
        p.open(f"def {name}(v, sink):", arrays=("v",))
        p.open("for _ in range(1):", lazy=True)
        p.line("g = True")
        opened, number = self._bind()
        p.barrier()
        p.line(f"u, index = narrow(v, {self.mask})")
        p.line("if len(index) == 0:")
        p.line("    continue")
        p.scopes[-1].arrays.update(("u", *self._arrays()))
        p.line("moments = []")
        self._stages()
        p.line(f"sink(o, index, {number}, moments)")
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

    def _equation(self, waiting, variable, known):  # type: ignore[no-untyped-def]
        return None

    def _copy(self, target: str, source: str) -> None:
        self.p.line(f"{target} = {source}.copy()")

    def _apply(self, stage: StagePlan, target: str, reads: Reads, chosen: str) -> None:
        p = self.p
        for run in stage.runs:
            for variable in run[0].binders:
                p.loop(variable)
            condition = p.term(run[0].when, reads)
            if chosen:
                condition = f"({condition} & ({chosen} >> ({self._group(stage, run[0])})) & 1)"
            for update in run:
                position, inside = p.place(update.target, reads)
                value = p.term(update.value, reads)
                if inside:
                    position, value = f"pick({inside}, {position}, {self.fault})", f"pick({inside}, {value}, 1)"
                p.line(f"put({target}, {position}, {value}, {condition})")
            for _ in run[0].binders:
                p.close()

    def _moments(self, number: int, stage: StagePlan, target: str, now: str) -> None:
        p = self.p
        reads = Reads(now, self.state)
        if len(stage.groups) > 12:
            raise Refusal(f"row {self.plan.row.id}: {len(stage.groups)} records at once are too many for the numpy engine; use numba")
        p.line("active = 0")
        for run in stage.runs:
            for variable in run[0].binders:
                p.loop(variable)
            p.line(f"active = active | ({p.term(run[0].when, reads)} * (1 << ({self._group(stage, run[0])})))")
            for _ in run[0].binders:
                p.close()
        self._copy(target, now)
        self._apply(stage, target, reads, "")
        p.open(f"for part in range({1 << len(stage.groups)}):", arrays=("d",), lazy=True)
        self._copy("d", now)
        self._apply(stage, "d", reads, "part")
        alone = len(self.plan.stages) == 1
        several = " & ((active & (active - 1)) != 0)" if alone else ""
        p.line(f"moments.append(({number << STAGE_SHIFT} | part, ((part & ~active) == 0){several}, d))")
        p.close()


def check_function(printer: Printer, name: str, properties: Sequence[Always | Sometimes]) -> list[str]:
    """Return the lines of `name(cells, found)`: the first state that shows each property's failure, or its witness.

    `found` holds -1 for what is still to be found; other entries are left alone.
    """
    p = printer
    p.count(one.term for one in properties)
    reads = Reads("v", "v")
    if p.columns:
        p.open(f"def {name}(v, found):", arrays=("v",))
    else:
        p.open(f"def {name}(cells, found):")
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

    numba: `before[before_at[i]]` and `after[after_at[i]]` are the rows of step i, `code[i]` the number of its binding.
    NumPy: `name(v, o, c)` on columns.
    """
    p = printer
    p.count((one.term,))
    if p.columns:
        p.open(f"def {name}(v, o, c):", arrays=("v", "o"))
    else:
        p.open(f"def {name}(before, before_at, after, after_at, code):")
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
