"""The parameters of a row, found by printed code: read from its records, solved from its guard, or tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

from fencepost.checkers.conformance.plans.plans import CluePlan, RowPlan, WritePlan, Writer
from fencepost.checkers.conformance.state.record_fields import bind_fields, slots
from fencepost.checkers.conformance.state.replay import Layout
from fencepost.checkers.printing.certainty import ALWAYS, AT_TIMES, HIDDEN, NEVER, Certainty, Value, text
from fencepost.checkers.printing.function import Function
from fencepost.model.language import Record, Var
from fencepost.model.language.fingerprint import digest_of
from fencepost.model.language.kinds import EntityKind, OptionKind
from fencepost.model.language.nodes import TRUE
from fencepost.model.language.walk import free

from .writes import Found, Names, Place, PrintedWrite, where_known

Env = tuple[Any, ...]
"""The values of a row's variables, in the order of `PrintedRow.variables`."""


class CannotTell(Exception):
    """A unit that printed rows do not decide."""


class Call:
    """A write under a row's variables: the positions of its arguments among these, and how often they are known.

    Whether its plan has `preceding` and `demanded` writes is known without the plan, which is made where these are
    looked at. `fits`, `fits_known`, `shared`, `sure` and `is_sure` are functions of `PrintedWrite`, each printed when
    it is first asked for. Calls of one write whose arguments are known as often have one `number`.
    """

    def __init__(self, row: PrintedRow, at: Place, plan: WritePlan) -> None:
        self.row, self.at = row, at
        self.write = write = row.rows.write(plan, at)
        self.record = write.record
        self.variables, self.row_known = row.variables, row.known
        self.places = tuple(row.variables.index(var) for var in write.arguments)
        self.known = tuple(row.known[at] for at in self.places)
        self.number = write.number(self.known)
        self.binders, self.tried, self.certain = plan.binders, write.tried, plan.certain
        self.preceding, self.demanded = bool(plan.preceding), bool(plan.demanded)

    @property
    def plan(self) -> WritePlan:
        """The write as it is planned."""
        return self.at.plan

    @cached_property
    def shared(self) -> Callable[..., bool] | None:
        """Whether fields that depend on nothing but what a record is about are as the write gives them."""
        return self.write.shared

    @cached_property
    def fits(self) -> Callable[..., Found | None]:
        """The values that a record shows of the write."""
        return self.write.fits(self.known)

    @cached_property
    def fits_known(self) -> Callable[..., Found | None]:
        """The same where all arguments that are known at times have a value."""
        return self.write.fits(where_known(self.known))

    @cached_property
    def sure(self) -> Callable[..., Any] | None:
        """The bindings under which the write is sure to be made."""
        return self.write.sure(self.known)

    @cached_property
    def is_sure(self) -> Callable[..., bool]:
        """Whether the write is sure to be made under a binding."""
        return self.write.is_sure(self.known)


class Shape(NamedTuple):
    """The part of a `StagePlan` on which the places rest where a stage can end."""

    records: frozenset[Record]
    follow: frozenset[Record]
    may_end: bool
    certain: bool


class PrintedRow:
    """A row whose first record has one type: its parameters, and the writes of its stages.

    It can be pickled without its plan, which is made again where something more is printed.

    `passed` are the records behind which `needs` must come, where there are such; `is_alive` evaluates whether a record
    of the type can be the first at all. `bindings` takes the states, the records, a place, the number of records, for
    each place the first one behind it whose record is of another type, what was found of the record at the place so
    far, and the most bindings to try; it yields values of `variables` under which some write may have made the record
    at the place. `firsts` are the writes that may be the first of the row, with that record. `again` evaluates whether
    the guard may still hold once records have shown more, `late` what it asks about all entities of a sort.
    """

    def __init__(self, rows: RowPrinter, writer: Writer, first: Record) -> None:
        self.writer, self.row, self.rows = writer, writer.row, rows
        self.printer, self.names, self.layout = rows.printer, rows.names, rows.layout
        self.stages = tuple(Shape(one.records, one.follow, one.may_end, one.certain) for one in self.plan.stages)
        self.firsts: list[PrintedWrite] = []
        for number, stage in enumerate(self.plan.stages):
            places = enumerate(stage.writes)
            self.firsts += [
                rows.write(write, Place(writer, number, at)) for at, write in places if write.record is first
            ]
            if any(write.certain for write in stage.writes):
                break
        self.variables = tuple(dict.fromkeys((*self.row.params, *self.plan.cells)))
        self.passed: frozenset[Record] = frozenset()
        self.needs: Record | None = None
        self._function = Function("m")
        self._function.awaited = frozenset(
            var for var in self.plan.split if isinstance(var.kind, EntityKind) and self.printer.domain_of(var.kind.name)
        )
        self._asked: set[int] = set()
        self.is_alive = self._print(first)

    def __getstate__(self) -> dict[str, Any]:
        left_out = ("firsts", "_function", "_asked", "_shared")
        return {name: one for name, one in vars(self).items() if name not in left_out}

    @property
    def plan(self) -> RowPlan:
        """The row as it is planned."""
        return self.writer.plan

    @cached_property
    def calls(self) -> list[list[Call]]:
        """The writes of each stage under the row's variables."""
        stages = enumerate(self.plan.stages)
        return [
            [Call(self, Place(self.writer, number, at), plan) for at, plan in enumerate(stage.writes)]
            for number, stage in stages
        ]

    def _print(self, first: Record) -> bool:
        function = self._function
        placed = self._read(first)
        if placed is None:
            return False
        self._solve()
        self._refuse()
        self._ask_shared()
        for var in self._remember():
            self._refuse(var)
        shown = [(first, "said"), *placed]
        for clue in self.plan.clues:
            if function.variables.get(clue.var, HIDDEN).certainty is not ALWAYS:
                self._try_clue(clue, shown)
        for var in self.plan.split:
            if function.variables.get(var, HIDDEN).certainty is not ALWAYS:
                self._try_values(var, first)
        values = [function.variables.get(var, HIDDEN) for var in self.variables]
        writes = [write for stage in self.plan.stages for write in stage.writes]
        fields = {one.var for write in writes for one in write.fields if one.var is not None}
        self.learns = any(
            one.certainty is not ALWAYS and var in fields for var, one in zip(self.variables, values, strict=True)
        )
        self.known = tuple(
            AT_TIMES if one.certainty is NEVER and var in fields else one.certainty
            for var, one in zip(self.variables, values, strict=True)
        )
        function.line("tried += 1")
        function.line("if tried > most: raise CannotTell")
        self.printer.space["CannotTell"] = CannotTell
        self._ask_first(dict(zip(self.variables, values, strict=True)))
        function.line(f"yield ({''.join(one.text + ', ' for one in values)})")
        self.bindings: Callable[..., Iterator[Env]] = self.printer.define(
            self.printer.fresh("bind"), ["R", "at", "n", "ends", "K", "most"], function
        )
        return True

    @property
    def _asks_first(self) -> bool:
        """Whether a binding is left under which no write that may come first has made the record at the place."""
        return self.needs is None and not any(write.tried for write in self.firsts)

    def _ask_shared(self) -> None:
        """Leave where fields that rest on no variable of the row, or that are said though a write never says them, show
        that no write that may come first made the record at the place."""
        function = self._function
        self._shared: dict[PrintedWrite, str] = {}
        if not self._asks_first:
            return
        for write in self.firsts:
            if write.shared is not None:
                name = write.shared.__name__
                test = self._shared[write] = function.fresh("alike")
                function.line(f"{test} = K.get({name!r})")
                function.line(f"if {test} is None: {test} = K[{name!r}] = {name}(S, said)")
            elif write.never_said:
                test = self._shared[write] = function.fresh("alike")
                function.line(f"{test} = {' and '.join([f'said[{at}] is N' for at in write.never_said])}")
        if self.firsts and len(self._shared) == len(self.firsts):
            function.line(f"if not ({' or '.join(self._shared.values())}): return")

    def _ask_first(self, values: Mapping[Var[Any], Value]) -> None:
        """Leave a binding under which no write that may come first has made the record at the place.

        What is found of a write under some arguments is kept for other rows, and for the row's stages.
        """
        function = self._function
        if not self._asks_first:
            return
        known = dict(zip(self.variables, self.known, strict=True))
        found, leave = "", self._leave()
        with function.scope():
            for write in self.firsts:
                mine = tuple(known[var] for var in write.arguments)
                given = [values[var].text for var in write.arguments]
                open_ = [text for text, one in zip(given, mine, strict=True) if one is AT_TIMES and text != "U"]
                call = write.name_of_fits(mine)
                if AT_TIMES in mine and all(text != "U" or one is NEVER for text, one in zip(given, mine, strict=True)):
                    known_call = write.name_of_fits(where_known(mine))
                    call = f"({known_call} if {' and '.join(f'{one} is not U' for one in open_)} else {call})"
                key = f"({', '.join([str(write.number(mine)), *given])},)"
                if found:
                    function.line(f"if {found} is None:")
                    function.body.depth += 1
                found = function.fresh("shown")
                shared = self._shared.get(write)
                unless = "" if shared is None else f" if {shared} else None"
                arguments = ", ".join(["S", "said", "R[at].version", *given])
                function.line(f"{found} = K.get({key}, K)")
                function.line(f"if {found} is K: {found} = K[{key}] = {call}({arguments}){unless}")
            function.line(f"if {found} is None: {leave}")

    @cached_property
    def again(self) -> Callable[..., bool] | None:
        """The test of the guard once records have shown more of the parameters, None where they show no more."""
        return self._test(False) if self.learns else None

    @cached_property
    def late(self) -> Callable[..., bool] | None:
        """The test of what the guard asks about all entities of a sort, None where it asks nothing."""
        return self._test(True)

    def _test(self, late: bool) -> Callable[..., bool] | None:
        names = [self.names.of(var) for var in self.variables]
        known = zip(self.variables, names, self.known, strict=True)
        variables = {var: Value(name, certainty) for var, name, certainty in known if certainty is not NEVER}
        probe = Function("m", variables)
        parts = [one for one in self.plan.conjuncts if one.late is late]
        if all(self.printer.truth(one.term, probe).may is True for one in parts):
            return None
        return self.printer.fast("allows", names, partial(Function, "m", variables), partial(self._allow, late))

    def _allow(self, late: bool, function: Function) -> None:
        parts = [one for one in self.plan.conjuncts if one.late is late]
        function.count([one.term for one in parts])
        for one in sorted(parts, key=lambda one: self.printer.cost(one.term)):
            may = self.printer.truth(one.term, function).may
            if may is not True:
                function.line(f"if not {text(may)}: return False")
        function.line("return True")

    # -- what records say --------------------------------------------------------------------------------------------
    def _read(self, first: Record) -> list[tuple[Record, str]] | None:
        """Read parameters off the records whose place in the row is certain; return these, None where none can be."""
        function = self._function
        function.line("said = R[at].fields")
        function.line("pos, tried = at, 0")
        placed: list[tuple[Record, str]] = []
        exact, is_first, passed = True, True, frozenset[Record]()
        for number, stage in enumerate(self.plan.stages):
            write = stage.writes[0]
            if not stage.certain:
                if number == 0 and self.plan.opens_with(first):
                    self._unify(write, "said", set(write.binders), False)
                passed |= stage.records
                exact = False
                continue
            if not exact:
                if write.record in passed:
                    return placed
                if is_first:
                    self.passed, self.needs, is_first = passed, write.record, False
                function.line(f"while pos < n and R[pos].record in {self.printer.constant(passed)}: pos = ends[pos]")
            elif number == 0 and write.record is not first:
                return None
            function.line(f"if pos >= n or R[pos].record is not {self.printer.constant(write.record)}: return")
            function.line(f"{(name := function.fresh('said'))} = R[pos].fields")
            self._unify(write, name, set(), True)
            placed.append((write.record, name))
            function.line("pos += 1")
            exact, passed, is_first = True, frozenset(), False
        return placed

    def _unify(self, write: WritePlan, name: str, but: set[Var[Any]], certain: bool) -> None:
        """Bind the variables that a write gives as fields to what a record says; another value ends the search."""
        function = self._function
        places = {field.name: at for at, field in enumerate(slots(write.record))}
        for one in write.fields:
            var = one.var
            if var is None or var in but or var in write.hidden:
                continue
            here, mine = f"{name}[{places[one.field.name]}]", self.names.of(var)
            is_there = not one.field.optional
            if one.field.optional and certain and one.said_term is TRUE and one.field.already is None:
                function.line(f"if {here} is N: return")
                is_there = True
            old = function.variables.get(var)
            if old is None:
                function.line(f"{mine} = {here}" if is_there else f"{mine} = U if {here} is N else {here}")
                function.bind(var, mine, ALWAYS if is_there else AT_TIMES)
                continue
            there = "" if is_there else f"{here} is not N and "
            if old.certainty is ALWAYS:
                function.line(f"if {there}{here} != {old.text}: return")
                continue
            mine = old.text
            function.line(f"if {there}{mine} is not U and {here} != {mine}: return")
            function.line(f"{mine} = {here}" if is_there else f"if {here} is not N: {mine} = {here}")
            function.bind(var, mine, ALWAYS if is_there else AT_TIMES)

    # -- what the guard says -----------------------------------------------------------------------------------------
    def _leave(self) -> str:
        return "continue" if self._function.body.depth > 1 else "return"

    def _solve(self) -> None:
        """Bind parameters that the guard equates with what is known."""
        function, solved = self._function, set[tuple[Var[Any], int]]()
        again = True
        while again:
            again = False
            for number, conjunct in enumerate(self.plan.conjuncts):
                for var, other in conjunct.equals:
                    old = function.variables.get(var, HIDDEN)
                    if old.certainty is ALWAYS or (var, number) in solved:
                        continue
                    found = self.printer.value(other, function)
                    if found.certainty is NEVER:
                        continue
                    solved.add((var, number))
                    name, certainty = self.names.of(var), found.certainty
                    if old.certainty is NEVER:
                        function.line(f"{name} = {found.text}")
                    else:
                        # A loop may come back here: what was known in front of it keeps its name.
                        name = function.fresh(f"{name}_")
                        function.line(f"{name} = {found.text} if {old.text} is U else {old.text}")
                    if not isinstance(var.kind, OptionKind):
                        function.line(f"if {name} is None: {self._leave()}")
                    function.bind(var, name, certainty)
                    again = True

    def _refuse(self, var: Var[Any] | None = None) -> None:
        """Print a return where a part of the guard is false; with a variable, only the parts with it are evaluated."""
        function = self._function
        remembered = {cell for cell, get in self.plan.cells.items() if get.state in self.layout.left}
        to_come = {clue.var for clue in self.plan.clues} | set(self.plan.split) | remembered
        to_come = {one for one in to_come if function.variables.get(one, HIDDEN).certainty is not ALWAYS}
        numbered = sorted(enumerate(self.plan.conjuncts), key=lambda one: self.printer.cost(one[1].term))
        for number, conjunct in numbered:
            if conjunct.late or number in self._asked or (var is not None and var not in conjunct.params):
                continue
            if not free(conjunct.term) & to_come:
                self._asked.add(number)
            may = self.printer.truth(conjunct.term, function).may
            if may is not True:
                function.line(f"if not {text(may)}: {self._leave()}")

    def _remember(self) -> list[Var[Any]]:
        """Bind cells that no log shows where an earlier record showed them; return their variables."""
        function, found = self._function, []
        for var, get in self.plan.cells.items():
            number = self.layout.left.get(get.state)
            key = get.keys[0] if get.keys else None
            known = function.variables.get(key, HIDDEN) if isinstance(key, Var) else HIDDEN
            if number is None or known.certainty is NEVER:
                continue
            old = function.variables.get(var, HIDDEN)
            if old.certainty is ALWAYS:
                continue
            name = self.names.of(var)
            kept = self.printer.in_row(number, known.text, function, ahead=True)
            if old.certainty is NEVER:
                function.line(f"{name} = {kept}")
            else:
                function.line(f"{name} = {kept} if {old.text} is U else {old.text}")
            function.bind(var, name, AT_TIMES)
            found.append(var)
        return found

    # -- what is tried -----------------------------------------------------------------------------------------------
    def _loop(self, var: Var[Any], over: str, certainty: Certainty) -> None:
        function, name = self._function, self.names.of(var)
        old = function.variables.get(var, HIDDEN)
        if old.certainty is not NEVER:
            over = f"(({old.text},) if {old.text} is not U else {over})"
            name = function.fresh(f"{name}_")
        function.loop(name, over)
        function.bind(var, name, certainty)
        self._solve()
        self._refuse(var)

    def _try_clue(self, clue: CluePlan, shown: Sequence[tuple[Record, str]]) -> None:
        """Try the values that the first record for which a clue gives any shows."""
        function = self._function
        call = "distinct" if isinstance(clue.var.kind, OptionKind) else "there"
        texts, sure = [], False
        for record, name in shown:
            before = function.variables
            function.variables = dict(before)
            values, truths = dict(function.values), dict(function.truths)
            bind_fields(function, record, name)
            found = [self.printer.value(term, function) for term in clue.terms]
            function.variables, function.values, function.truths = before, values, truths
            found = [one for one in found if one.certainty is not NEVER]
            if found:
                texts.append(f"{call}({', '.join(one.text for one in found)})")
                sure |= len(texts) == 1 and call == "distinct" and any(one.certainty is ALWAYS for one in found)
        if texts:
            over = f"({' or '.join(texts)}{'' if sure else ' or (U,)'})"
            self._loop(clue.var, over, ALWAYS if sure else AT_TIMES)

    def _try_values(self, var: Var[Any], first: Record) -> None:
        """Try the values of a variable: where the row's first record allows few, no others."""
        function = self._function
        values = self.printer.domain(var.kind, function)
        if values is None:
            return
        every = values if values.startswith("(") else f"(tuple({values}) or (U,))"
        sources = []
        for write, _ in self.plan.first.get(first, ()):
            with function.scope():
                places = {field.name: at for at, field in enumerate(slots(first))}
                optional = {field.name for field in slots(first) if field.optional}
                for name, binder in write.of_binders:
                    if name not in optional:
                        function.bind(binder, f"said[{places[name]}]")
                sources.append(self.printer.source(var, write.when_term, True, function))
        over = every
        if sources and None not in sources:
            some = f"united({', '.join(dict.fromkeys(one for one in sources if one is not None))})"
            over = f"({some} if len({values}) > 1 else {every})" if every != values else some
        self._loop(var, over, ALWAYS)


class RowPrinter:
    """Prints the rows of a protocol, each when a record first comes that may be the first of it."""

    def __init__(self, layout: Layout) -> None:
        self.printer, self.layout, self.names = layout.printer, layout, Names()
        self.writes: dict[str, PrintedWrite] = {}
        self.rows: dict[tuple[Writer, Record], PrintedRow] = {}
        self.numbers: dict[Any, int] = {}
        self.alike: dict[str, Callable[..., bool]] = {}

    def row(self, writer: Writer, first: Record) -> PrintedRow:
        """Return a row whose first record has a type."""
        found = self.rows.get((writer, first))
        if found is None:
            found = self.rows[writer, first] = PrintedRow(self, writer, first)
        return found

    def write(self, plan: WritePlan, at: Place) -> PrintedWrite:
        """Return a record that rows write, which is planned at a place."""
        key = digest_of(plan.content)
        found = self.writes.get(key)
        if found is None:
            found = self.writes[key] = PrintedWrite(self, plan, at, self.layout.protocol.log_end)
        return found

    def shared(self, write: PrintedWrite) -> Callable[..., bool]:
        """Return the function that compares the fields which a write has in common with others, printed once."""
        key = digest_of(write.shared_key)
        found = self.alike.get(key)
        if found is None:
            found = self.alike[key] = write.print_shared()
        return found

    def number(self, what: Any) -> int:
        """Return a number that only what is equal has."""
        return self.numbers.setdefault(what, len(self.numbers))
