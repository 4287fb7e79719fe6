"""What a claim asks before a loop against the claim in full: the same instances, in the same order."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from fencepost.checkers.cli.simulated import judged_run
from fencepost.checkers.conformance.data_lockstep import tables as data_tables
from fencepost.checkers.conformance.lockstep import claims
from fencepost.checkers.conformance.lockstep.claims import CompiledClaims
from fencepost.checkers.conformance.lockstep.judge import tables_of
from fencepost.checkers.conformance.lockstep.printing import Printer
from fencepost.checkers.conformance.zk_lockstep import ZkLockStep
from fencepost.checkers.printing.function import Function as Printed
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import Term, Var
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.kraft.simulation.plan import Plan
from fencepost.reference.zk.simulation.plan import Plan as ZkPlan
from fencepost.reference.zk.simulation.run import Run

pytestmark = pytest.mark.slow


def in_full(printer: Printer, function: Printed, variables: Sequence[Var[Any]], term: Term[bool]) -> None:
    """Begin loops that ask the whole claim of every instance."""
    for var in variables:
        function.loop(name := printer.variable(var), printer.domain(var.kind, function))
        function.bind(var, name)
    function.line(f"if not {printer.text(term, function)}:")
    function.body.depth += 1


def twice(method: Any, module: Any, wrong: list[str], asked: Counter[str]) -> Callable[..., Any]:
    """Return a method that makes a claim's function, so that the function notes where the claim in full differs."""

    def both(self: Any, *arguments: Any) -> Any:
        # Claims of data are kept by the names that are given, those of a controller by plan and by which are given.
        of_data = isinstance(self, data_tables.Claim)
        kept, key = (self._functions, arguments[0]) if of_data else (arguments[0].broken, arguments[1])
        if key in kept:
            return kept[key]
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(module, "loops", in_full)
            full = method(self, *arguments)
        del kept[key]
        made = method(self, *arguments)
        name = str(self.id if of_data else arguments[0].claim.id)

        def checked(*values: Any) -> Any:
            asked[name] += 1
            first, second = of(made)(*values), of(full)(*values)
            if first != second:
                wrong.append(f"{name}: {first}, in full {second}")
            return first

        kept[key] = (checked, made[1]) if of_data else checked
        return kept[key]

    return both


def of(made: Any) -> Callable[..., Any]:
    """Return the function of what a method made: some return beside it what it is given."""
    found: Callable[..., Any] = made[0] if isinstance(made, tuple) else made
    return found


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], Counter[str]]:
    """Have every claim asked twice, compiled anew; return what differs, and how often each claim was asked."""
    wrong, asked = list[str](), Counter[str]()
    monkeypatch.setattr(CompiledClaims, "_broken", twice(CompiledClaims._broken, claims, wrong, asked))
    method = data_tables.Claim._function
    monkeypatch.setattr(data_tables.Claim, "_function", twice(method, data_tables, wrong, asked))
    for cached in (tables_of, data_tables.tables):
        cached.cache_clear()
    return wrong, asked


def test_claims_of_the_zookeeper_era_find_the_same(noted: tuple[list[str], Counter[str]]) -> None:
    """In a run of the ZooKeeper era every claim finds the instances that it finds in full."""
    wrong, asked = noted
    judge = ZkLockStep()
    Run(ZkPlan(seed=3, seconds=40, brokers=3), lambda step: judge.step(step) and None).execute()
    assert wrong == []
    assert len(asked) > 100
    assert judge.divergences == []
    assert judge.tally.declared, "a claim that does not hold is found"


@pytest.mark.nightly(
    "tests/conformance/test_properties.py::test_instances_that_an_index_leaves_out_are_counted_as_those_that_are_tried"
)
def test_claims_of_kraft_find_the_same(noted: tuple[list[str], Counter[str]]) -> None:
    """So it is of the claims of `kraft`, and of the theorem of `kraft-data`."""
    wrong, asked = noted
    _, found = judged_run(Plan(seed=3, seconds=60, quiet_seconds=10, settings=Settings(min_insync_replicas=2)))
    assert wrong == []
    assert found.data.asked > 0
    assert len(asked) > 50
    for cached in (tables_of, data_tables.tables):
        cached.cache_clear()


def test_claims_of_what_changed_are_those_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """A claim that is asked of what a step touched finds what it finds of every entity; an unequal one is found."""
    wrong, asked = list[str](), Counter[str]()
    plain = CompiledClaims.of_row

    def both(self: CompiledClaims, row: str, binding: Any, before: Any, changed: Any) -> Any:
        found = list(plain(self, row, binding, before, changed))
        plans = [plan for plan in self.by_row.get(row, ()) if plan.touched is not None]
        kept = [plan.touched for plan in plans]
        for plan in plans:
            asked[plan.claim.id] += 1
            plan.touched = None
        whole = list(plain(self, row, binding, before, changed))
        for plan, touched in zip(plans, kept, strict=True):
            plan.touched = touched
        if set(map(str, found)) != set(map(str, whole)):
            wrong.append(f"{row}: {found}, of all {whole}")
        return found

    monkeypatch.setattr(CompiledClaims, "of_row", both)
    judged_run(Plan(seed=4, seconds=60, quiet_seconds=10, settings=Settings(min_insync_replicas=2)))
    assert wrong == []
    assert {"P26", "P35", "P40"} <= set(asked)


def test_a_claim_that_holds_of_equal_states_is_known_by_its_form() -> None:
    """Of the claims about single rows those that may be false where nothing changes are asked of every entity."""
    claims_of_rows = tables_of(KRAFT, False).claims.by_row.values()
    touched = {plan.claim.id: plan.touched is not None for plans in claims_of_rows for plan in plans if plan.vars}
    assert touched["P26"]
    assert touched["P35"]
    assert not touched["P36"], "it is about a state after the row, which may be wrong before"
    assert not touched["G10"]
