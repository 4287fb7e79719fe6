"""Terms printed for NumPy and for the compiler mean what the interpreter says they mean."""

from __future__ import annotations

import enum
import random
from typing import Any, get_args

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fencepost.checkers.exploration.columns import execute
from fencepost.checkers.exploration.compiled import source_of
from fencepost.checkers.exploration.layout import Layout
from fencepost.checkers.exploration.machine import Param
from fencepost.checkers.exploration.native import FULL, QUICK, Shape, compiled
from fencepost.checkers.exploration.printer import Printer, Reads
from fencepost.model.language import (
    BOOL,
    NONE,
    TRUE,
    Bound,
    Entity,
    Evaluation,
    Node,
    Protocol,
    Term,
    Var,
    absent,
    all_of,
    any_of,
    ascending,
    at_least,
    cell,
    counter,
    drop,
    else_,
    empty,
    event,
    exists,
    first,
    forall,
    head,
    just,
    keep,
    lesser,
    let,
    list_of,
    literal,
    max_of,
    maybe,
    members,
    next_,
    nobody,
    none_of,
    nothing,
    one_of,
    only,
    per,
    per2,
    present,
    protocol,
    repeats,
    set_of,
    size_of,
    some,
    sort,
    table,
    then,
    those,
    threshold,
    when,
)
from fencepost.model.language.kinds import Kind
from fencepost.model.language.nodes import At, Before, Each, Lit
from fencepost.model.language.walk import nodes
from tests.cases import examples


class Colour(enum.Enum):
    """Three members."""

    RED = "red"
    GREEN = "green"
    BLUE = "blue"


class Broker(Entity):
    """A broker."""


class Topic(Entity):
    """A topic."""


BROKER, TOPIC, EPOCH, SIZE, COLOUR = sort(Broker), sort(Topic), counter("epoch", -1), threshold("size"), one_of(Colour)
b, x, t, e, i = BROKER.var("b"), BROKER.var("x"), TOPIC.var("t"), EPOCH.var("e"), EPOCH.var("i")
flag, colour, target, lost, leader_ = (
    BOOL.var("flag"),
    COLOUR.var("colour"),
    list_of(BROKER).var("target"),
    set_of(BROKER).var("lost"),
    maybe(BROKER).var("leader_"),
)
up = per(BROKER, "up", BOOL)
tint = cell("tint", COLOUR, initial=Colour.GREEN)
isr = per(TOPIC, "isr", set_of(BROKER))
listed = per(TOPIC, "listed", list_of(BROKER))
leader = per(TOPIC, "leader", maybe(BROKER), initial=NONE)
age = per(TOPIC, "age", EPOCH, initial=0)
log = per2(TOPIC, EPOCH, "log", EPOCH, initial=-1)
mark = cell("mark", maybe(EPOCH), initial=NONE)
shade = per(COLOUR, "shade", maybe(COLOUR), initial=NONE)
least = cell("least", SIZE, initial=1)
SIZES = {"Broker": 3, "Topic": 2, "epoch": 2, "size": 3}
PARAMS: tuple[Term[Any], ...] = (b, t, e, flag, colour, target, lost, leader_)

ONE_OF_EACH: tuple[Term[Any], ...] = (
    literal(Colour.BLUE),
    TRUE,
    tint,
    up[b],
    log[t, e],
    log[t, age[t] + 2],
    log[t, e - 3],
    ~up[b],
    flag & up[b] & tint.is_(Colour.RED),
    flag | up[b] | colour.is_(tint),
    flag.implies(up[b]),
    listed[t].is_(target),
    listed[t].isnt(then(target, listed[t])),
    age[t] < e,
    age[t] <= e,
    age[t] + e,
    age[t] - 1,
    when(flag, leader[t], leader_),
    when(up[b], age[t], e),
    forall(x, up[x].implies(x.in_(lost))),
    exists(x, up[x] & x.in_(isr[t])),
    forall(e, log[t, e] <= e),
    exists(target, target.is_(listed[t]) & ~empty(target)),
    exists(lost, lost.is_(isr[t]) & (lost <= members(target))),
    those(x, up[x] | x.in_(lost)),
    just(b),
    just(leader[t], b),
    nobody(BROKER),
    b.in_(lost),
    leader[t].in_(isr[t]),
    leader_.in_(target),
    lost <= isr[t],
    (lost & isr[t]) | (members(listed[t]) - lost),
    members(target),
    first(target, lost),
    head(listed[t]),
    keep(target, isr[t]),
    drop(listed[t], lost),
    then(listed[t], target),
    then(only(b), listed[t]),
    only(leader[t]),
    nothing(BROKER),
    ascending(lost),
    repeats(target),
    at_least(isr[t], least),
    at_least(lost, lesser(least, size_of(isr[t], SIZE))),
    lesser(least, size_of(lost, SIZE)),
    size_of(isr[t], SIZE),
    max_of(i, log[t, i] < e, age[t]),
    let("wanted", isr[t] - lost, t) | lost,
    else_(leader[t], leader_),
    some(b),
    none_of(BROKER),
    present(mark),
    absent(shade[colour]),
    mark.is_(age[t]),
    shade[tint].is_(colour),
    Before(age[t] + 1),
    next_(age[t]),
    next_(isr[t]) <= isr[t],
    next_(log[t, age[t] + 2]),
    forall(x, next_(up[x]).implies(up[x])),
    exists(x, exists(i, log[t, i].is_(age[t]) & up[x] & x.in_(isr[t]))),
    exists(x, exists(i, (age[t] + 1).is_(i) & leader[t].is_(x) & (log[t, i] <= e) & exists(b, up[b] & b.in_(isr[t])))),
    exists(i, exists(x, (e - 1).is_(i))) | exists(x, exists(i, up[x] & (i <= age[t]))),
)

CELLS = (up[b], tint, isr[t], listed[t], leader[t], age[t], log[t, e], mark, shade[colour], least)
SAMPLE: Protocol = protocol(
    "sample",
    table(
        "rows",
        event("Touch", *PARAMS, source="test")("T", TRUE, up[b].becomes(flag)),
        event("Look", *PARAMS, source="test")("L", all_of(*(one.is_(one) for one in CELLS)), up[b].becomes(TRUE)),
    ),
    bounds={"only": Bound(SIZES)},
)
LAYOUT = Layout(SAMPLE, SIZES)


def random_term(kind: Kind[Any], depth: int, draw: random.Random) -> Term[Any]:
    """Return a random term of a kind, over the sample's state and parameters."""
    leaves = [one for one in (*CELLS, *PARAMS) if one.kind == kind]
    if depth == 0 or draw.random() < 0.1:
        return draw.choice(leaves) if leaves else Lit(LAYOUT.world.values(kind)[0], kind)

    def sub(kind: Kind[Any]) -> Term[Any]:
        return random_term(kind, depth - 1, draw)

    def truth() -> Term[bool]:
        return sub(BOOL)

    sets, lists, option = set_of(BROKER), list_of(BROKER), maybe(BROKER)
    made: dict[Kind[Any], list[Any]] = {
        BOOL: [
            lambda: ~truth(),
            lambda: truth() & truth(),
            lambda: truth() | truth(),
            lambda: truth().implies(truth()),
            lambda: sub(lists).is_(sub(lists)),
            lambda: sub(option).is_(sub(BROKER)),
            lambda: sub(EPOCH) <= sub(EPOCH),
            lambda: forall(b, truth()),
            lambda: exists(t, truth()),
            lambda: exists(e, truth()),
            lambda: exists(t, exists(e, truth() & truth() & (age[t] <= e))),
            lambda: exists(b, exists(e, exists(t, age[t].is_(e) & truth() & b.in_(isr[t]) & sub(EPOCH).is_(e)))),
            lambda: exists(e, exists(b, sub(BROKER).is_(b) & (e <= sub(EPOCH)) & exists(t, leader[t].is_(b)))),
            lambda: sub(option).in_(sub(sets)),
            lambda: sub(BROKER).in_(sub(lists)),
            lambda: sub(sets) <= sub(sets),
            lambda: at_least(sub(sets), sub(SIZE)),
            lambda: let("named", truth()),
            lambda: any_of(truth(), truth(), truth()),
        ],
        EPOCH: [
            lambda: sub(EPOCH) + sub(EPOCH),
            lambda: sub(EPOCH) - 1,
            lambda: log[sub(TOPIC), sub(EPOCH)],
            lambda: max_of(e, truth(), sub(EPOCH)),
            lambda: when(truth(), sub(EPOCH), sub(EPOCH)),
        ],
        sets: [
            lambda: those(b, truth()),
            lambda: just(sub(option), sub(BROKER)),
            lambda: sub(sets) | sub(sets),
            lambda: sub(sets) & sub(sets),
            lambda: sub(sets) - sub(sets),
            lambda: members(sub(lists)),
            lambda: when(truth(), sub(sets), sub(sets)),
        ],
        lists: [
            lambda: keep(sub(lists), sub(sets)),
            lambda: then(sub(lists), sub(lists)),
            lambda: only(sub(option)),
            lambda: ascending(sub(sets)),
            lambda: drop(sub(lists), sub(sets)),
        ],
        option: [
            lambda: first(sub(lists), sub(sets)),
            lambda: else_(sub(option), sub(option)),
            lambda: some(sub(BROKER)),
        ],
        SIZE: [lambda: lesser(sub(SIZE), sub(SIZE)), lambda: size_of(sub(sets), SIZE)],
    }
    choices = made.get(kind)
    return draw.choice(choices)() if choices else sub(kind)


def random_rows(draw: random.Random, count: int) -> np.ndarray[Any, Any]:
    """Return random states as rows of registers."""
    rows = np.zeros((count, LAYOUT.fault + 1), np.int64)
    for c, kind in enumerate(LAYOUT.kinds):
        rows[:, c] = [draw.choice(LAYOUT.coding.registers(kind)) for _ in range(count)]
    return rows


def expected(terms: list[Term[Any]], before: Any, after: Any, values: dict[Var[Any], Any]) -> list[int]:
    """Return the registers that the interpreter gives the terms on one step."""
    world = LAYOUT.world
    evaluation = Evaluation(world, LAYOUT.valuation(before), after=LAYOUT.valuation(after))
    return [register(term, evaluation.value(term, values)) for term in terms]


def register(term: Term[Any], value: Any) -> int:
    """Return the register of a term's value."""
    return LAYOUT.coding.encode(term.kind, value)


def printed(terms: list[Term[Any]], columns: bool) -> tuple[Printer, list[str]]:
    """Return a function `values(v, o, *params, out)` that writes the value of every term."""
    printer = Printer(LAYOUT, columns)
    printer.count(terms)
    params = [(p, f"p{n}") for n, p in enumerate(PARAMS) if isinstance(p, Var)]
    printer.open(
        f"def values(v, o, {', '.join(name for _, name in params)}, out):", *params, arrays=("v", "o"), lazy=True
    )
    for n, term in enumerate(terms):
        printer.line(f"out[{n}] = {printer.term(term, Reads('v', 'v', 'o'))}")
    printer.close()
    return printer, printer.scopes[-1].lines


def values_of_params(draw: random.Random) -> tuple[dict[Var[Any], Any], list[int]]:
    """Return random values of the parameters, and their registers."""
    values, registers = {}, []
    for p in PARAMS:
        assert isinstance(p, Var)
        registers.append(draw.choice(LAYOUT.coding.registers(p.kind)))
        values[p] = LAYOUT.coding.decode(p.kind, registers[-1])
    return values, registers


def test_one_of_each_covers_the_union() -> None:
    """The fixed terms hold every kind of node that there is, so no printer's branch goes untested."""
    seen = {type(node) for node in nodes(*ONE_OF_EACH)}
    # A list beside a list is spelt out where its record is replayed: no printer meets one.
    assert {getattr(kind, "__origin__", kind) for kind in get_args(Node)} - {At, Each} <= seen


def agree_in_columns(terms: list[Term[Any]], draw: random.Random) -> None:
    """Assert that NumPy gives the terms the interpreter's values on random steps."""
    printer, lines = printed(terms, columns=True)
    function = execute(printer, lines, "values")
    before, after = random_rows(draw, 6), random_rows(draw, 6)
    values, registers = values_of_params(draw)
    out = np.zeros((len(terms), 6), np.int64)
    function(np.ascontiguousarray(before.T), np.ascontiguousarray(after.T), *registers, out)
    for n in range(6):
        assert out[:, n].tolist() == expected(terms, before[n], after[n], values)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_every_node_in_columns(seed: int) -> None:
    """Each construct has the interpreter's value when NumPy evaluates it on a column of random states."""
    agree_in_columns(list(ONE_OF_EACH), random.Random(seed))


@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 2**32))
def test_random_terms_in_columns(seed: int) -> None:
    """Random nested terms have the interpreter's values when NumPy evaluates them on columns."""
    draw = random.Random(seed)
    kinds = (BOOL, EPOCH, set_of(BROKER), list_of(BROKER), maybe(BROKER), SIZE)
    agree_in_columns([random_term(kind, 4, draw) for kind in kinds], draw)


def test_every_node_and_random_terms_compiled() -> None:
    """The same constructs, and random nested terms, have the interpreter's values in quick code and in full."""
    shape = Shape((Param(1), Param(1), *(Param() for p in PARAMS if isinstance(p, Var)), Param(1)), 0)
    draw = random.Random(20)
    kinds = (BOOL, EPOCH, set_of(BROKER), list_of(BROKER), maybe(BROKER), SIZE)
    terms = [*ONE_OF_EACH, *(random_term(kind, 3, draw) for kind in kinds for _ in range(2))]
    for some_terms in (terms[: len(terms) // 2], terms[len(terms) // 2 :]):
        printer, lines = printed(some_terms, columns=False)
        source = source_of(printer, "values", shape, lines)
        for function in (compiled(source, QUICK), compiled(source, FULL)):
            for _ in range(40):
                before, after = random_rows(draw, 2)
                values, registers = values_of_params(draw)
                out = np.zeros(len(some_terms), np.int64)
                function(before, after, *registers, out)
                assert out.tolist() == expected(some_terms, before, after, values)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32))
def test_packing_loses_nothing(seed: int) -> None:
    """A state packed into words and unpacked again is the same state, and so is one given to the interpreter."""
    rows = random_rows(random.Random(seed), 4)
    words, good = LAYOUT.pack(rows)
    assert good.all()
    assert (LAYOUT.unpack(words) == rows).all()
    told = LAYOUT.valuation(rows[0])
    assert [LAYOUT.coding.encode(s.kind, told.read(s, keys)) for s, keys in LAYOUT.cells] == rows[0, :-1].tolist()
