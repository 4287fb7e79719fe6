"""One claim as printed functions of the values of its variables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import takewhile
from typing import Any, Final, NamedTuple

from fencepost.checkers.conformance.classes.frames import Frame
from fencepost.checkers.conformance.evaluation.premises import parts_of
from fencepost.checkers.conformance.state.printed_states import PRESENT
from fencepost.checkers.conformance.state.properties import Pattern, Plan, Through, concerned_by
from fencepost.checkers.printing.certainty import ALWAYS, Truth, Value, joined, negated, text
from fencepost.checkers.printing.function import Function
from fencepost.checkers.printing.terms import TermPrinter
from fencepost.model.language import Step, Term, Var
from fencepost.model.language.nodes import Nary, Next
from fencepost.model.language.walk import free

from .writes import Names

NO_ANTECEDENT: Final = 1
NO_PREMISE: Final = 2
"""Why an instance says nothing: an implication's premise is false, or another condition that it needs."""

AMONG: Final = None
"""In place of whether a variable has one value: it has each of several."""

Fixed = tuple[bool | None, ...]
"""Of each variable of a claim whether it has one value, or `AMONG`; else it has all that there are."""

_Ask = Callable[..., None]


def _some(name: str) -> str:
    """Return the name of the values that a variable has in turn."""
    return f"{name}_each"


class Concerning(NamedTuple):
    """Computes from a changed cell's keys, and the state in front of the change, which instances it concerns.

    `places` are the keys on which the answer rests; with `by_keys` it rests on nothing else. Equal patterns of one
    claim have one of these.
    """

    find: Callable[[tuple[Any, ...], Callable[[], Frame]], Pattern]
    places: tuple[int, ...]
    by_keys: bool


def _concerning(pattern: Sequence[int | Through | None]) -> Concerning:
    places = tuple(at if isinstance(at, int) else at.at for at in pattern if at is not None)
    if all(at is None or isinstance(at, int) for at in pattern):
        slices = [slice(at, at + 1) if isinstance(at, int) else None for at in pattern]
        return Concerning(lambda keys, before: tuple([None if at is None else keys[at] for at in slices]), places, True)
    return Concerning(
        lambda keys, before: tuple([None if at is None else concerned_by(at, keys, before()) for at in pattern]),
        places,
        False,
    )


class PrintedClaim:
    """A claim as printed functions of the values of its variables; `params` are what it reads of a row's parameters.

    `concerning` has by the number of a table the search for the instances that a changed cell of it concerns.
    """

    def __init__(self, printer: TermPrinter, names: Names, plan: Plan) -> None:
        self.printer, self.names, self.plan = printer, names, plan
        self.is_step = isinstance(plan.claim, Step)
        self.variables = plan.vars
        known = free(plan.term) - set(plan.vars)
        self.params = tuple(sorted(known, key=lambda var: (var.name, str(var.kind))))
        self._functions: dict[Any, Callable[..., Any]] = {}

    def __getstate__(self) -> dict[str, Any]:
        # What is found of the claim again costs little.
        return {name: one for name, one in vars(self).items() if name not in ("bound", "concerning")}

    @cached_property
    def bound(self) -> Sequence[Sequence[tuple[Term[bool], bool]]]:
        """The premises by the last variable that they read, each with whether it is an implication's."""
        return self.plan.premises.bound

    @cached_property
    def concerning(self) -> dict[int, list[Concerning]]:
        """The searches for the instances that a changed cell concerns, by the number of its table."""
        reads = self.plan.reads
        made = {pattern: _concerning(pattern) for patterns in reads.values() for pattern in patterns}
        return {number: [made[one] for one in patterns] for number, patterns in reads.items()}

    def _begin(self, given: Mapping[Var[Any], bool], prefix: str) -> Function:
        variables = {var: Value(self.names.of(var), ALWAYS) for var in self.params if given.get(var)}
        return Function(prefix, variables, PRESENT) if self.is_step else Function(PRESENT, variables)

    def ask(self, prefix: str, fixed: Fixed, given: tuple[bool, ...]) -> _Ask:
        """Return the function that asks all instances of which some variables have one value each, or one of several.

        It takes what counts them, a list to which those that are false are added, for the variables that are `fixed`
        the value, or the collection of values, and the parameters that are `given`.
        """
        key = (prefix, fixed, given)
        found = self._functions.get(key)
        if found is None:
            found = self._functions[key] = self._print(prefix, fixed, given)
        return found

    def _print(self, prefix: str, fixed: Fixed, given: tuple[bool, ...]) -> Callable[..., Any]:
        there = dict(zip(self.params, given, strict=True))
        shown = [(self.names.of(var), one) for var, one in zip(self.variables, fixed, strict=True)]
        params = [_some(name) if one is AMONG else name for name, one in shown if one is not False]
        params += [self.names.of(var) for var, one in there.items() if one]
        return self.printer.fast(
            "claim",
            ["evidence", "false", *params],
            partial(self._begin, there, prefix),
            partial(self._instances, fixed),
        )

    def _instances(self, fixed: Fixed, function: Function) -> None:
        for var, one in zip(self.variables, fixed, strict=True):
            if one is True:
                function.bind(var, self.names.of(var))
        if all(one is True for one in fixed):
            self._level(function, 0, fixed, "evidence.", f"false.append({_LISTED})")
            return
        function.line("some = []")
        with function.scope():
            self._level(function, 0, fixed, "evidence.", f"some.append({_LISTED})")
        function.line("false.extend(some)")

    def premises(self, prefix: str, at: int, given: tuple[bool, ...]) -> Callable[..., int] | None:
        """Return the function of the variables up to a place that evaluates whether one of its premises is false.

        It returns `NO_ANTECEDENT`, `NO_PREMISE` or 0. None where the place has no premises.
        """
        key = (prefix, at, given)
        if key not in self._functions and self.bound[at]:
            there = dict(zip(self.params, given, strict=True))
            params = [self.names.of(var) for var in self.variables[: at + 1]]
            params += [self.names.of(var) for var, one in there.items() if one]
            begin = partial(self._begin, there, prefix)
            self._functions[key] = self.printer.fast("premises", params, begin, partial(self._premises, at))
        return self._functions.get(key)

    def _premises(self, at: int, function: Function) -> None:
        for var in self.variables[: at + 1]:
            function.bind(var, self.names.of(var))
        for premise, is_antecedent in self.bound[at]:
            may = self.printer.truth(premise, function).may
            if may is not True:
                function.line(f"if not {text(may)}: return {NO_ANTECEDENT if is_antecedent else NO_PREMISE}")
        function.line("return 0")

    def among_others(self, function: Function, number: int) -> None:
        """Print the claim into a function that asks many about one entity, the value of the first variable, if any.

        `E` has what counts each by its number; `false` gets the numbers of those that are false, with the values of
        their variables.
        """
        fixed = tuple(at == 0 for at in range(len(self.variables)))
        with function.scope():
            self._level(function, 0, fixed, f"E[{number}].", f"false.append(({number}, {_LISTED}))")

    def _level(self, function: Function, at: int, fixed: Fixed, counts: str, fail: str) -> None:
        """Print the evaluation from a variable on: the part behind a premise is under the `else` of its denial."""
        if at == len(self.variables):
            self._body(function, counts, fail)
            return
        # What loops count is added behind them: where a cell has no value yet, another function asks all anew.
        depth, outer, outermost = function.body.depth, counts, function.body.outermost
        if fixed[at] is not True and counts:
            function.line(f"{' = '.join(_COUNTED)} = 0")
            counts = ""
        if fixed[at] is False:
            self._loop(function, at, fixed, counts)
        elif fixed[at] is AMONG:
            function.loop(name := self.names.of(self.variables[at]), _some(name))
            function.bind(self.variables[at], name)
        for premise, is_antecedent in self.bound[at]:
            self._suppose(function, premise, counts, is_antecedent)
        self._level(function, at + 1, fixed, counts, fail)
        if counts != outer:
            function.body.depth, function.body.outermost = depth, outermost
            for name in _COUNTED:
                function.line(f"{outer}{name} += {name}")

    def _suppose(
        self, function: Function, premise: Term[bool], counts: str, is_antecedent: bool, times: str = "1"
    ) -> None:
        """Print what follows for where a premise may hold; where it does not, instances are counted."""
        truth = self.printer.truth(premise, function)
        if truth.may is not True:
            with function.block(f"if not {text(truth.may)}:"):
                _count(function, counts, is_antecedent, times)
            function.line("else:")
            function.body.depth += 1
        # A premise that was evaluated is not evaluated again behind it.
        function.truths[premise] = Truth(True, True if truth.is_decided else truth.sure)

    def _loop(self, function: Function, at: int, fixed: Fixed, counts: str) -> None:
        """Begin to go through the values of a variable: where an index leaves some out, these are counted.

        So are all where a part of a premise that is not about them is false.
        """
        var, name = self.variables[at], self.names.of(self.variables[at])
        every = self.printer.domain(var.kind, function) or "()"
        settled: list[Term[bool]] = []
        conditions = [*self.bound[at]]
        if len(fixed) == 2 and at == 0 and fixed[1] is True:
            # Of each value there is one instance: conditions of both variables leave it out.
            conditions += self.bound[1]
        if conditions:
            first = conditions[0][1]
            terms = tuple(term for term, _ in takewhile(lambda one: one[1] is first, conditions))
            for part in dict.fromkeys(part for term in terms for part in _parts(term)):
                if var not in free(part) and free(part) <= function.variables.keys():
                    self._suppose(function, part, counts, first, f"len({every})")
            some = self.printer.source(var, Nary("and", terms), True, function, unwritten=True)
            if some is not None:
                kept = function.fresh("kept")
                function.line(f"{kept} = [{name} for {name} in {some} if {name} in {every}]")
                _count(function, counts, first, f"len({every}) - len({kept})")
                every = kept
                settled += [term for term in terms if self.printer.lists(var, term, some, function)]
        function.loop(name, every)
        function.bind(var, name)
        function.truths.update(dict.fromkeys(settled, Truth(True, True)))

    def _body(self, function: Function, counts: str, fail: str) -> None:
        may, sure = self.printer.truth(self.plan.term, function)
        values = "".join(f"{function.variables[var].text}, " for var in self.variables)
        if may != sure:
            may = may if isinstance(may, bool) else function.named(may)
            function.line(f"if {text(joined('and', (may, negated(sure))))}: {counts}unknown += 1")
            function.line("else:")
            function.body.depth += 1
        _count(function, counts, False)
        if may is not True:
            function.line(f"if not {text(may)}: {fail.replace(_LISTED, f'({values})')}")


_COUNTED: Final = ("judged", "with_premise", "unknown")
"""What is counted of the instances of a claim."""

_LISTED: Final = "@"
"""Takes the place of the values of a claim's variables in a statement."""


def _parts(premise: Term[bool]) -> Iterator[Term[bool]]:
    """Yield what a premise is the conjunction of, in the states in which it is read."""
    for part in parts_of(premise):
        if isinstance(part, Next):
            yield from (Next(one) for one in parts_of(part.term))
        else:
            yield part


def _count(function: Function, counts: str, is_antecedent: bool, times: str = "1") -> None:
    """Count instances; those of which an implication's premise is false do not count as such with a premise."""
    function.line(f"{counts}judged += {times}")
    if not is_antecedent:
        function.line(f"{counts}with_premise += {times}")
