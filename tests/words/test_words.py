"""Words for restatements of foreign specifications: each means the same in every engine."""

from __future__ import annotations

import itertools
import random
import shutil
from typing import Any

import numpy as np
import pytest
import z3
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fencepost.checkers.conformance.classes.frames import UNKNOWN, Frame
from fencepost.checkers.conformance.classes.tables import Indexed
from fencepost.checkers.conformance.evaluation.kleene import Compiler
from fencepost.checkers.conformance.lockstep.cells import Cells
from fencepost.checkers.conformance.lockstep.printing import Printer as LockstepPrinter
from fencepost.checkers.exploration import explore
from fencepost.checkers.exploration.columns import execute
from fencepost.checkers.exploration.compiled import source_of
from fencepost.checkers.exploration.layout import Layout
from fencepost.checkers.exploration.machine import Param
from fencepost.checkers.exploration.native import FULL, QUICK, Shape, compiled
from fencepost.checkers.exploration.printer import Printer, Reads
from fencepost.checkers.proof import prove
from fencepost.checkers.proof.finite import Finite
from fencepost.checkers.proof.logic import choose, conj
from fencepost.checkers.proof.lowering import Environment, Lowering
from fencepost.checkers.proof.models import Reader
from fencepost.checkers.proof.moments import Moment
from fencepost.checkers.tlc import run_tlc
from fencepost.checkers.verdicts import Refusal, Verdict
from fencepost.model.language import (
    Evaluation,
    EvaluationError,
    State,
    TableError,
    Term,
    Valuation,
    always,
    counter,
    event,
    forall,
    individual,
    per,
    protocol,
    records_of,
    set_of,
    table,
    text,
    when,
)
from fencepost.model.language.interpreter import initial
from fencepost.model.language.kinds import IntKind
from fencepost.model.language.nodes import Lit, MaxOf, Quant
from fencepost.model.language.walk import nodes
from tests.exploration.plain_exploration import explore_plainly, initial_states

from .vocabulary import (
    FIRST,
    SERVER,
    SIZES,
    SOURCE,
    VARIABLES,
    VOCABULARY,
    WORDS,
    Seen,
    d,
    e,
    first,
    r,
    rank,
    s,
    seen,
    votes,
)

LAYOUT = Layout(VOCABULARY, SIZES)
WORLD = LAYOUT.world
TERMS = [term for term, _ in WORDS.values()]
NUMBERS = {state: number for number, state in enumerate(VOCABULARY.states)}


def drawn(draw: random.Random) -> tuple[Valuation, dict[Any, int]]:
    """Return a random state and random values of the variables."""
    cells = {
        (state, keys): draw.choice(WORLD.values(state.kind))
        for state in VOCABULARY.states
        for keys in itertools.product(*(WORLD.values(kind) for kind in state.keys))
    }
    return Valuation(cells), {var: draw.choice(WORLD.values(var.kind)) for var in VARIABLES}


def plainly(state: Valuation, binding: dict[Any, int]) -> Seen:
    """Return a state and a binding as plain Python values."""

    def all_of(variable: State[Any]) -> dict[Any, Any]:
        return {
            keys: state.read(variable, keys)
            for keys in itertools.product(*(WORLD.values(kind) for kind in variable.keys))
        }

    return Seen(
        {key: value for (key,), value in all_of(rank.state).items()},
        all_of(seen.state),
        frozenset(keys for keys, there in all_of(votes.state).items() if there),
        state.read(first.state, ()),  # type: ignore[attr-defined]
        {var.name: value for var, value in binding.items()},
    )


def meanings(state: Valuation, binding: dict[Any, int]) -> list[Any]:
    """Return what plain Python says of every word."""
    there = plainly(state, binding)
    return [meaning(there) for _, meaning in WORDS.values()]


SEEDS = given(st.integers(0, 2**32))


@settings(max_examples=100, deadline=None)
@SEEDS
def test_the_interpreter_gives_each_word_its_meaning(seed: int) -> None:
    """Every word has the value that plain Python gives it, on random states."""
    state, binding = drawn(random.Random(seed))
    evaluation = Evaluation(WORLD, state)
    assert [evaluation.value(term, binding) for term in TERMS] == meanings(state, binding)


def _printed(columns: bool) -> tuple[Printer, list[str]]:
    printer = Printer(LAYOUT, columns)
    printer.count(TERMS)
    params = [(var, f"p{n}") for n, var in enumerate(VARIABLES)]
    header = f"def values(v, o, {', '.join(name for _, name in params)}, out):"
    printer.open(header, *params, arrays=("v", "o"), lazy=True)
    for n, term in enumerate(TERMS):
        printer.line(f"out[{n}] = {printer.term(term, Reads('v', 'v', 'o'))}")
    printer.close()
    return printer, printer.scopes[-1].lines


@settings(max_examples=30, deadline=None)
@SEEDS
def test_columns_give_each_word_its_meaning(seed: int) -> None:
    """Every word has that value where NumPy evaluates it on columns of states."""
    printer, lines = _printed(columns=True)
    draw = random.Random(seed)
    _, binding = drawn(draw)
    states = [drawn(draw)[0] for _ in range(4)]
    columns = np.ascontiguousarray(np.array([LAYOUT.row(state) for state in states]).T)
    out = np.zeros((len(TERMS), len(states)), np.int64)
    execute(printer, lines, "values")(columns, columns, *(binding[var] for var in VARIABLES), out)
    for n, state in enumerate(states):
        assert out[:, n].tolist() == [int(value) for value in meanings(state, binding)]


def test_compiled_code_gives_each_word_its_meaning() -> None:
    """Every word has that value in quick code and in full."""
    printer, lines = _printed(columns=False)
    shape = Shape((Param(1), Param(1), *(Param() for _ in VARIABLES), Param(1)), 0)
    source = source_of(printer, "values", shape, lines)
    draw = random.Random(5)
    for function in (compiled(source, QUICK), compiled(source, FULL)):
        for _ in range(60):
            state, binding = drawn(draw)
            row = LAYOUT.row(state)
            out = np.zeros(len(TERMS), np.int64)
            function(row, row, *(binding[var] for var in VARIABLES), out)
            assert out.tolist() == [int(value) for value in meanings(state, binding)]


class _Concrete(Moment):
    """A state of the interpreter, as literals of a finite scope."""

    def __init__(self, scope: Finite, state: Valuation) -> None:
        super().__init__()
        self.scope, self.state = scope, state

    def read(self, state: State[Any], keys: Any) -> Any:
        listed = [list(zip(WORLD.values(kind), self.scope.values(kind), strict=False)) for kind in state.keys]
        found: Any = None
        for chosen in itertools.product(*listed):
            value = self.state.read(state, tuple(one for one, _ in chosen))
            here = self.scope.values(state.kind)[WORLD.values(state.kind).index(value)]
            same = conj(self.scope.same(v, key) for (_, v), key in zip(chosen, keys, strict=True))
            found = here if found is None else choose(same, here, found)
        return found


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@SEEDS
def test_the_solver_gives_each_word_its_meaning(seed: int) -> None:
    """Every word has that value where Z3 evaluates it in a finite scope."""
    scope = Finite(VOCABULARY, {"Server": 2}, steps=3)
    scope.world = WORLD
    lowering = Lowering(scope)
    state, binding = drawn(random.Random(seed))
    environment = Environment({var: scope.values(var.kind)[binding[var]] for var in VARIABLES})
    solver = z3.Solver()
    assert solver.check() == z3.sat
    reader, moment = Reader(scope, solver.model()), _Concrete(scope, state)
    found = [reader.value(lowering.value(term, moment, environment), term.kind) for term in TERMS]
    assert found == meanings(state, binding)


def _searches(term: Term[Any]) -> bool:
    """Whether a term searches among counters, which have no end where logs are read."""
    return any(isinstance(node, (Quant, MaxOf)) and isinstance(node.var.kind, IntKind) for node in nodes(term))


@settings(max_examples=60, deadline=None)
@SEEDS
def test_three_valued_evaluation_gives_each_word_its_meaning_or_none(seed: int) -> None:
    """Every word that searches no counter has that value where every cell is known; where some are not, it or none."""
    draw = random.Random(seed)
    state, binding = drawn(draw)
    for hidden in (False, True):
        shown = [one for one in VOCABULARY.states if not hidden or draw.random() < 0.5]
        numbers = {one: number for number, one in enumerate(shown)}
        tables: list[Any] = [Indexed() for _ in shown]
        for one in shown:
            for keys in itertools.product(*(WORLD.values(kind) for kind in one.keys)):
                tables[numbers[one]][keys] = state.read(one, keys)
        frame = Frame(tables, {name: {x: n for n, x in enumerate(all_)} for name, all_ in WORLD.entities.items()})
        compiler = Compiler(numbers)
        for term, meaning in zip(TERMS, meanings(state, binding), strict=True):
            found = compiler.code(term)(frame, dict(binding))
            assert found == meaning or (found is UNKNOWN and (hidden or _searches(term))), text(term)


@settings(max_examples=60, deadline=None)
@SEEDS
def test_lock_step_gives_each_word_its_meaning(seed: int) -> None:
    """Every word that searches no counter has that value as printed for lock step, and the others raise."""
    state, binding = drawn(random.Random(seed))
    begins = [None if one.initial is None else initial(one) for one in VOCABULARY.states]
    printer = LockstepPrinter(NUMBERS, begins)
    tables: list[Any] = [{} for _ in NUMBERS]
    for one, number in NUMBERS.items():
        for keys in itertools.product(*(WORLD.values(kind) for kind in one.keys)):
            tables[number][keys[0] if len(keys) == 1 else keys] = state.read(one, keys)
    cells = Cells(tables, {name: dict.fromkeys(all_) for name, all_ in WORLD.entities.items()})
    for term, meaning in zip(TERMS, meanings(state, binding), strict=True):
        function = printer.function(term, VARIABLES)
        if _searches(term):
            with pytest.raises(EvaluationError):
                function(cells, *(binding[var] for var in VARIABLES))
        else:
            assert function(cells, *(binding[var] for var in VARIABLES)) == meaning, text(term)


def test_exploration_is_the_interpreters() -> None:
    """The rows of the vocabulary reach what the interpreter reaches, state by state, from the values by key."""
    [start] = initial_states(VOCABULARY, VOCABULARY.bounds["tiny"], Layout(VOCABULARY, {**SIZES, "epoch": 1}).world)
    assert [start.read(rank.state, (n,)) for n in range(2)] == [1, 0]
    found, plain = explore(VOCABULARY, "tiny"), explore_plainly(VOCABULARY, "tiny")
    assert found.verdict == Verdict.CLOSED
    assert (found.distinct, found.transitions, found.depth) == (plain.distinct, plain.transitions, plain.depth)
    assert found.distinct > 100


@pytest.mark.tlc
@pytest.mark.skipif(shutil.which("java") is None, reason="TLC needs Java, and there is none on the PATH")
def test_tlc_counts_the_same_states() -> None:
    """TLC reaches as many states of the vocabulary, through as many steps, as exploration does."""
    found = explore(VOCABULARY, "tiny")
    told = run_tlc(VOCABULARY, "tiny")
    assert (told.distinct, told.transitions, told.depth) == (found.distinct, found.transitions, found.depth)


def test_the_words_are_proved() -> None:
    """Claims about named entities, records and products are proved for any number of servers."""
    found = prove(VOCABULARY)
    assert found.verdict == Verdict.PROVED, found


@pytest.mark.parametrize(
    ("term", "said"),
    [
        (rank[s] * 2 + 1, "rank[s] · 2 + 1"),
        ((rank[s] + 1) * 2, "(rank[s] + 1) · 2"),
        (when(s.is_(r), 1, 0), "if s = r then 1 else 0"),
        (WORDS["min_of"][0], "(least d with rank[s] < d, or 0)"),
        (votes.has(of=s, to=FIRST, epoch=e), "votes(of=s, to=0, epoch=e)"),
    ],
)
def test_the_words_are_read_as_they_were_written(term: Term[Any], said: str) -> None:
    """A page shows each word in the form of the field, `min_of` included, which no engine knows."""
    assert text(term) == said


def test_a_bound_has_as_many_entities_as_the_tables_name() -> None:
    """An individual that a bound does not have is refused with what to do."""
    with pytest.raises(Refusal, match="take a larger size"):
        explore(VOCABULARY, "tiny", sizes={"Server": 1, "epoch": 1, "product": 12})


def test_wrong_uses_are_refused() -> None:
    """No such column, an initial value that reads state, a number in front: each says what to write."""
    with pytest.raises(TableError, match="no column epochs"):
        votes.has(of=s, to=r, epochs=e)
    with pytest.raises(TableError, match="nothing said of epoch"):
        votes.put(of=s, to=r)
    with pytest.raises(TableError, match="depend on the keys alone"):
        per(SERVER, "late", counter("epoch"), initial=lambda of: rank[of])
    with pytest.raises(TableError, match="a product begins with its term"):
        2 * rank[s]  # type: ignore[operator]
    with pytest.raises(TableError, match="names no entity"):
        individual(SERVER, -1)
    with pytest.raises(TableError, match="without columns"):
        records_of("nothing")


def test_a_variable_keyed_by_sets_is_refused_with_advice() -> None:
    """Proof has no cells per set, and says what to declare instead; nothing is called proved."""
    q = set_of(SERVER).var("q")
    chosen = per(set_of(SERVER), "chosen", first.kind, initial=FIRST)
    choose_ = event("Choose", q, s, source=SOURCE)
    made = protocol(
        "keyed",
        table("rows", choose_("C1", s.in_(q), chosen[q].becomes(s))),
        properties=(always("MINE", forall(q, chosen[q].is_(chosen[q]))),),
    )
    found = prove(made)
    assert found.verdict == Verdict.INCONCLUSIVE
    assert any("declare a sort of entities for the sets" in one.message for one in found.failed)


def test_min_of_is_made_of_words_that_every_engine_has() -> None:
    """`min_of` adds no node: it is a greatest value of one candidate, so that no engine has a case for it."""
    term, _ = WORDS["min_of"]
    assert {type(node).__name__ for node in nodes(term)} <= {
        "MaxOf", "Nary", "Quant", "Implies", "Compare", "Get", "Var", "Lit",
    }  # fmt: skip
    assert isinstance(term, MaxOf)
    assert term.var is d
    assert isinstance(term.default, Lit)
