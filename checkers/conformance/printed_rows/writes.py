"""The records that rows write, printed: whether a record is one of them, and the entities of those that are certain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from fencepost.checkers.conformance.plans.plans import FieldPlan, WritePlan, Writer
from fencepost.checkers.conformance.state.record_fields import FIELDS, bind_fields, slots
from fencepost.checkers.printing.certainty import (
    ALWAYS,
    AT_TIMES,
    NEVER,
    Certainty,
    Test,
    Truth,
    Value,
    joined,
    negated,
    text,
)
from fencepost.checkers.printing.function import Function
from fencepost.checkers.printing.terms import Later
from fencepost.model.language import Term, Var
from fencepost.model.language.effects import Given
from fencepost.model.language.fingerprint import digest_of
from fencepost.model.language.kinds import BoolKind, EntityKind, OptionKind
from fencepost.model.language.nodes import Comprehension, Get, Named, Quant
from fencepost.model.language.walk import bare, conjuncts, free, nodes

if TYPE_CHECKING:
    from .bindings import RowPrinter

Certainties = tuple[Certainty, ...]
"""The certainty with which the arguments of a write are known."""

Found = tuple[tuple[str, ...], Any, tuple[Any, ...], bool]
"""The names of fields that could not be compared, the parameters that fields show, the binding of the write's own
variables, and whether the write's condition is not sure to hold."""

_DEAR: Final = 60
"""The number of nodes from which on fields are compared once for all writes that share them."""

_VERSION: Final = "version"


def where_known(known: Certainties) -> Certainties:
    """Return the certainties of arguments where all that are known at times have a value."""
    return tuple(NEVER if one is NEVER else ALWAYS for one in known)


class Names:
    """The names of variables in every printed function."""

    def __init__(self) -> None:
        self._names: dict[Var[Any], str] = {}

    def of(self, var: Var[Any]) -> str:
        """Return the name of a variable."""
        return self._names.setdefault(var, f"v{len(self._names)}")


def _own_sort(plan: WritePlan, terms: Sequence[Term[Any]]) -> str:
    """Return the sort of what a record is about where the write reads no other entity's cells of it, else ""."""
    about = plan.fields[0].var if len(plan.record.about) == 1 else None
    if about is None or not isinstance(about.kind, EntityKind):
        return ""
    for node in nodes(*terms):
        if isinstance(node, (Quant, Comprehension)) and node.var.kind == about.kind:
            return ""
        if isinstance(node, Get) and any(key.kind == about.kind and bare(key) is not about for key in node.keys):
            return ""
    return about.kind.name


class Place(NamedTuple):
    """Where a record is planned: a row, and the numbers of a stage and of a write in it."""

    writer: Writer
    stage: int
    number: int

    @property
    def plan(self) -> WritePlan:
        """The write as it is planned."""
        return self.writer.plan.stages[self.stage].writes[self.number]


class PrintedWrite:
    """A record that rows write, by what is known of its arguments: those that write the same share one.

    Where there is an `own_sort`, the result for a record about an entity of that sort depends on no other one's cells.
    It can be pickled without its plan, which is made again at its place where something more is printed.
    """

    def __init__(self, rows: RowPrinter, plan: WritePlan, at: Place, log_end: Term[Any] | None) -> None:
        self.rows, self.printer, self.names, self.at, self.record = rows, rows.printer, rows.names, at, plan.record
        self.hidden = tuple(sorted(plan.hidden, key=lambda var: (var.name, str(var.kind))))
        given = [term for one in plan.fields if one.value_term is not None for term in (one.said_term, one.value_term)]
        terms = [plan.when_term, *given, *(() if plan.version_term is None else (plan.version_term,))]
        own = {var for one in slots(self.record) for var in (one.value, one.said)}
        inside = {*plan.binders, *plan.hidden, *own}
        variables = frozenset[Var[Any]]().union(*map(free, terms)) - inside
        self.arguments = tuple(sorted(variables, key=lambda var: (var.name, str(var.kind))))
        self.params = [self.names.of(var) for var in self.arguments]
        self.places = {field.name: at for at, field in enumerate(slots(self.record))}
        self.never_said = [self.places[one.field.name] for one in plan.fields if one.value_term is None]
        # The end of the log moves with every record: what reads it is not kept from one record to the next.
        reads_log_end = log_end is not None and any(node is log_end for node in nodes(*terms))
        self.own_sort = "" if reads_log_end else _own_sort(plan, terms)
        self._functions: dict[Any, Any] = {}
        self._firsts: dict[Any, Callable[..., bool]] = {}
        binders = dict(plan.of_binders[::-1])
        self._shown = {var: name for name, var in binders.items()}
        fields = {field.name: field for field in slots(self.record)}
        self.tried = tuple(var for var in plan.binders if var not in self._shown or fields[self._shown[var]].optional)

    def __getstate__(self) -> dict[str, Any]:
        return {name: one for name, one in vars(self).items() if name != "_shared_fields"} | {"_firsts": {}}

    @property
    def plan(self) -> WritePlan:
        """The write as it is planned."""
        return self.at.plan

    # -- a record ----------------------------------------------------------------------------------------------------
    def fits(self, known: Certainties) -> Callable[..., Found | None]:
        """Return the function of a record's fields and version, the arguments, and what is tried for the binders that
        no field shows, which returns what the record shows where the write may have made it, else None."""
        key = ("fits", known)
        if key not in self._functions:
            params = [FIELDS, _VERSION, *self.params, *map(self.names.of, self.tried)]
            self._functions[key] = self.printer.fast("fits", params, partial(self._begin, known), self._fits)
        found: Callable[..., Found | None] = self._functions[key]
        return found

    def number(self, known: Certainties) -> int:
        """Return a number that this write alone has while its arguments are known so often."""
        return self.rows.number((self, known))

    def name_of_fits(self, known: Certainties) -> str:
        """Return the name by which printed code calls `fits`, which is printed when it is first called."""
        key = ("name", known)
        name = self._functions.get(key)
        if name is None:
            name = self._functions[key] = self.printer.fresh("call")
            self.printer.space[name] = Later(self.printer.space, name, partial(self.fits, known))
        return str(name)

    def _begin(self, known: Certainties) -> Function:
        variables = {
            var: Value(name, certainty) for var, name, certainty in zip(self.arguments, self.params, known, strict=True)
        }
        return Function("m", variables)

    def _fits(self, function: Function) -> None:
        printer, plan = self.printer, self.plan
        if self.never_said:
            function.line(f"if {' or '.join([f'{FIELDS}[{at}] is not N' for at in self.never_said])}: return None")
        keys = [self._bind_binder(function, var) for var in plan.binders]
        for var in self.hidden:
            self._bind_hidden(function, var)
        function.count(
            [plan.when_term, *(t for one in plan.fields for t in (one.said_term, one.value_term) if t is not None)]
        )
        function.line("unjudged, shown = (), None")
        unsure = self._included(function)
        unjudged = 0
        for one in sorted((one for one in plan.fields if one.value_term is not None), key=self._weight):
            unjudged += self._field(function, one)
        if plan.version_term is not None:
            version = printer.value(plan.version_term, function)
            if version.certainty is not NEVER:
                name = function.named(version.text)
                known = "" if version.certainty is ALWAYS else f"{name} is not U and "
                function.line(f"if {_VERSION} is not None and {known}{name} != {_VERSION}: return None")
        if unjudged > 1:
            order = {f"{self.record.name}.{field.name}": at for at, field in enumerate(slots(self.record))}
            printer.space[ordered := printer.fresh("order")] = order.__getitem__
            function.line(f"if len(unjudged) > 1: unjudged = tuple(sorted(unjudged, key={ordered}))")
        function.line(f"return unjudged, shown, ({''.join(key + ', ' for key in keys)}), {unsure}")

    def _included(self, function: Function) -> str:
        """Refuse a record where the write's condition is false; return whether it is not sure to be true."""
        printer, plan = self.printer, self.plan
        said = {one.field.name: one for one in plan.fields if one.value_term is not None}
        given = tuple(
            Given(name, one.said_term, one.value_term) for name, one in said.items() if one.value_term is not None
        )
        speaks = self.record.speaks(given)
        parts = [one for one in conjuncts(plan.when_term) if one is not speaks]
        truths: list[Truth] = []
        for one in sorted(parts, key=printer.cost):
            truths.append(truth := printer.truth(one, function))
            if truth.may is not True:
                function.line(f"if not {text(truth.may)}: return None")
        unsure = text(joined("or", [negated(one.sure) for one in truths if not one.is_decided]))
        if len(parts) < len(conjuncts(plan.when_term)):
            # A record that says something says what the write would: its fields are compared with that.
            optional = [f"{FIELDS}[{self.places[one.field.name]}] is N" for one in plan.fields if one.field.optional]
            with function.block(f"if {' and '.join(optional)}:"):
                truth = printer.truth(speaks, function)
                if truth.may is not True:
                    function.line(f"if not {text(truth.may)}: return None")
            if not truth.is_decided:
                unsure = "True"
        return unsure

    def _weight(self, one: FieldPlan) -> int:
        assert one.value_term is not None
        return self.printer.cost(one.value_term) + self.printer.cost(one.said_term)

    def _field(self, function: Function, one: FieldPlan) -> bool:
        """Refuse a record whose field is another than the write's; return whether the field may not be comparable."""
        assert one.value_term is not None
        printer, here = self.printer, f"{FIELDS}[{self.places[one.field.name]}]"
        if not one.field.optional:
            return self._compare(function, one, here)
        may, sure = printer.truth(one.said_term, function)
        may = may if isinstance(may, bool) else function.named(may)
        already = one.field.already
        with function.block(f"if {here} is N:"):
            if already is None and sure is not False:
                function.line("return None" if sure is True else f"if {sure}: return None")
            elif already is not None and sure is not False:
                with function.block(f"if {text(sure)}:"):
                    self._against_stored(function, one, "if not (new is U or old is U or new == old): return None")
        with function.block("else:"):
            if may is not True:
                function.line(f"if not {text(may)}: return None")
            if already is not None:
                self._against_stored(function, one, f"if {here} == old and new == old: return None")
            return self._compare(function, one, here)

    def _against_stored(self, function: Function, one: FieldPlan, test: str) -> None:
        """Print a test of a list that is left out where it equals the stored one: `new` is the write's, `old` that."""
        assert one.field.already is not None
        assert one.value_term is not None
        bind_fields(function, self.record)
        old, new = self.printer.value(one.field.already, function), self.printer.value(one.value_term, function)
        if new.certainty is not NEVER:
            function.line(f"new, old = {new.text}, {old.text}")
            function.line(test)

    def _compare(self, function: Function, one: FieldPlan, here: str) -> bool:
        assert one.value_term is not None
        new, known = self.printer.value(one.value_term, function)
        if known is ALWAYS:
            function.line(f"if {here} != {new}: return None")
            return False
        label = f"{self.record.name}.{one.field.name}"
        if one.var is not None and one.var not in self.plan.hidden and one.var not in self.plan.binders:
            # A parameter that nothing showed before: this record does, and every later use must agree with it.
            learn = [
                f"shown = learned(shown, {self.printer.constant(one.var)}, {here})",
                "if shown is None: return None",
            ]
            unknown = False
        else:
            learn, unknown = [f"unjudged += ({label!r},)"], True
        if known is NEVER:
            for line in learn:
                function.line(line)
            return unknown
        name = function.named(new)
        with function.block(f"if {name} is U:"):
            for line in learn:
                function.line(line)
        function.line(f"elif {here} != {name}: return None")
        return unknown

    def _bind_binder(self, function: Function, var: Var[Any]) -> str:
        if var in self.tried:
            function.bind(var, self.names.of(var))
        else:
            function.bind(var, function.named(f"{FIELDS}[{self.places[self._shown[var]]}]"))
        return function.variables[var].text

    def _bind_hidden(self, function: Function, var: Var[Any]) -> None:
        """Bind a hidden cell to what the record shows of it: by a clue, by a field, or by a field's presence."""
        printer, plan = self.printer, self.plan
        found: list[Value] = []
        terms = [term for clue in plan.clues if clue.var is var for term in clue.terms]
        if terms:
            with function.scope():
                bind_fields(function, self.record)
                given = [one for one in (printer.value(term, function) for term in terms) if one.certainty is not NEVER]
                if given:
                    call = "only" if isinstance(var.kind, OptionKind) else "only_there"
                    name = function.named(f"{call}({', '.join(one.text for one in given)})")
                    sure = len(given) == 1 and given[0].certainty is ALWAYS and isinstance(var.kind, OptionKind)
                    found.append(Value(name, ALWAYS if sure else AT_TIMES))
        fields = {field.name: field for field in slots(self.record)}
        for name, shown in plan.of_hidden:
            if shown is var:
                here = f"{FIELDS}[{self.places[name]}]"
                optional = fields[name].optional
                found.append(
                    Value(f"(U if {here} is N else {here})" if optional else here, AT_TIMES if optional else ALWAYS)
                )
        for name, shown, is_there in plan.of_said:
            if shown is var:
                here = f"{FIELDS}[{self.places[name]}]"
                found.append(Value(f"({here} is not N)" if is_there else f"({here} is N)", ALWAYS))
        if not found:
            return
        first, *others = found
        for one in others:
            if first.certainty is ALWAYS:
                break
            name = function.named(first.text)
            first = Value(f"({one.text} if {name} is U else {name})", one.certainty)
        function.bind(var, function.named(first.text), first.certainty)

    # -- what several writes have in common --------------------------------------------------------------------------
    @cached_property
    def shared(self) -> Callable[..., bool] | None:
        """The function of a record's fields that compares some with the values of this write, None where there are
        no such fields: they depend on nothing but what the record is about."""
        return None if self._shared_fields is None else self.rows.shared(self)

    def print_shared(self) -> Callable[..., bool]:
        """Return `shared`, printed; it is the same for writes of one `shared_key`."""
        return self.printer.fast("shared", [FIELDS], self._begin_shared, self._fill_shared)

    @cached_property
    def _shared_fields(self) -> tuple[Var[Any], tuple[FieldPlan, ...]] | None:
        plan = self.plan
        if len(self.record.about) != 1 or plan.fields[0].var is None:
            return None
        about = plan.fields[0].var
        some = tuple(
            one
            for one in plan.fields[1:]
            if one.value_term is not None
            and one.field.already is None
            and free(one.said_term) | free(one.value_term) <= {about}
        )
        dear = sum(self.printer.cost(one.value_term) for one in some if one.value_term is not None)
        return (about, some) if some and dear > _DEAR else None

    @property
    def shared_key(self) -> Any:
        """The inputs that decide the answer of `shared`, beside the record and the state."""
        if self._shared_fields is None:
            return None
        about, some = self._shared_fields
        return self.record, about, tuple((one.field.name, one.said_term, one.value_term) for one in some)

    def _begin_shared(self) -> Function:
        return Function("m")

    def _fill_shared(self, function: Function) -> None:
        assert self._shared_fields is not None
        about, some = self._shared_fields
        function.bind(about, function.named(f"{FIELDS}[0]"))
        function.count([t for one in some for t in (one.said_term, one.value_term) if t is not None])
        for one in sorted(some, key=self._weight):
            here = f"{FIELDS}[{self.places[one.field.name]}]"
            if not one.field.optional:
                self._refuse_other(function, one, here)
                continue
            may, sure = self.printer.truth(one.said_term, function)
            may = may if isinstance(may, bool) else function.named(may)
            with function.block(f"if {here} is N:"):
                if sure is not False:
                    function.line(f"if {text(sure)}: return False")
            with function.block("else:"):
                if may is not True:
                    function.line(f"if not {text(may)}: return False")
                self._refuse_other(function, one, here)
        function.line("return True")

    def _refuse_other(self, function: Function, one: FieldPlan, here: str) -> None:
        assert one.value_term is not None
        new, known = self.printer.value(one.value_term, function)
        if known is ALWAYS:
            function.line(f"if {here} != {new}: return False")
        elif known is AT_TIMES:
            name = function.named(new)
            function.line(f"if {name} is not U and {here} != {name}: return False")

    # -- records that must be there ----------------------------------------------------------------------------------
    def sure(self, known: Certainties) -> Callable[..., Any] | None:
        """Return the function of the arguments that yields the bindings under which the record is sure to be written.

        None where it never is.
        """
        key = ("sure", known)
        if key not in self._functions:
            self._functions[key] = self._print_sure(known)
        return self._functions[key]  # type: ignore[no-any-return]

    def _print_sure(self, known: Certainties) -> Callable[..., Any] | None:
        plan, printer = self.plan, self.printer
        if not plan.may_be_sure:
            return None
        function = self._begin(known)
        names = [self.names.of(var) for var in plan.binders]
        probe = self._begin(known)
        probe.variables.update({var: Value(name, ALWAYS) for var, name in zip(plan.binders, names, strict=True)})
        if any(printer.truth(part, probe).sure is False for part in conjuncts(plan.when_term)):
            return None
        for var, name in zip(plan.binders, names, strict=True):
            over = printer.source(var, plan.when_term, True, function) or printer.domain(var.kind, function)
            if over is None:
                return None
            function.loop(name, f"tuple({over})")
            function.bind(var, name)
        test = self.is_sure(known)
        arguments = ", ".join(["S", *self.params, *names])
        function.line(f"if {test.__name__}({arguments}): yield ({''.join(name + ', ' for name in names)})")
        return printer.define(printer.fresh("sure"), self.params, function)

    def is_sure(self, known: Certainties) -> Callable[..., bool]:
        """Return the function of arguments and binding that evaluates whether the record is certain to be written."""
        key = ("is_sure", known)
        if key not in self._functions:
            names = [self.names.of(var) for var in self.plan.binders]
            self._functions[key] = self.printer.fast(
                "is_sure", [*self.params, *names], partial(self._begin, known), self._is_sure
            )
        return self._functions[key]  # type: ignore[no-any-return]

    def _is_sure(self, function: Function) -> None:
        parts = conjuncts(self.plan.when_term)
        for var in self.plan.binders:
            function.bind(var, self.names.of(var))
        function.count(parts)
        for part in sorted(parts, key=self.printer.cost):
            sure = self.printer.truth(part, function).sure
            if sure is not True:
                function.line(f"if not {text(sure)}: return False")
        function.line("return True")

    def can_be_first(self, known: Certainties, absent: Sequence[WritePlan], with_record: bool) -> Callable[..., bool]:
        """Return the function of arguments and binding that evaluates whether cells which no log shows can be such
        that this is written, and none of some others about the same entities.

        The function takes the fields of this write's record first; those show some cells `with_record` only.
        """
        what = (known, tuple((one.content, one.when_term) for one in absent), self.plan.when_term, with_record)
        found = self._firsts.get(what)
        if found is None:
            # A key that can be pickled costs more than it may for every record.
            key = ("first", known, digest_of(what[1:3]), with_record)
            found = self._functions.get(key)
            if found is None:
                function = self._begin(known)
                self._can_be_first(function, absent, with_record)
                params = [FIELDS, *self.params, *[self.names.of(var) for var in self.plan.binders]]
                found = self._functions[key] = self.printer.define(self.printer.fresh("first"), params, function)
            self._firsts[what] = found
        return found

    def _can_be_first(self, function: Function, absent: Sequence[WritePlan], with_record: bool) -> None:
        printer = self.printer
        for var in self.plan.binders:
            function.bind(var, self.names.of(var))
        when, others = self.plan.when_term, [one.when_term for one in absent]
        hidden = set(self.hidden)
        for node in nodes(when, *others):
            # What depends on no cell that is tried is evaluated once.
            is_settled = free(node) <= function.variables.keys() and not free(node) & hidden
            if isinstance(node, Named) and is_settled and not printer.is_small(node.term):
                (printer.truth if isinstance(node.kind, BoolKind) else printer.value)(node, function)
        for var in self.hidden if with_record else ():
            self._bind_hidden(function, var)
        open_ = [
            var
            for var in self.hidden
            if function.variables.get(var, Value("", NEVER)).certainty is not ALWAYS
            and printer.domain(var.kind, function) is not None
        ]
        # Values of those of few are tried first: where one of them decides, no other is tried.
        open_.sort(key=lambda var: (isinstance(var.kind, (EntityKind, OptionKind)), var.name))
        for var in open_:
            values = printer.domain(var.kind, function)
            unseen = ", UNSEEN" if isinstance(var.kind, (EntityKind, OptionKind)) else ""
            shown = function.variables.get(var)
            given = "" if shown is None else f"({shown.text},) if {shown.text} is not U else "
            name = self.names.of(var)
            function.loop(name, f"{given}(*{values}{unseen},)")
            function.bind(var, name)
        tests: list[Test] = [printer.truth(when, function).may]
        tests += [negated(printer.truth(one, function).sure) for one in others]
        function.line(f"if {text(joined('and', tests))}: return True")
        function.body.depth = 1
        function.line("return False")
