"""Random terms, states and bindings over the sample's variables, for hypothesis."""

from typing import Any

from hypothesis import strategies as st

from fencepost.model.language import Valuation, World
from fencepost.model.language.vocabulary import *

from .sample import JOB, WORKER, alive, holder, j, k, n, order, quorum, resting, team, term, v, w

WORLD = World({"Worker": (0, 1, 2), "Job": (0, 1)}, {"term": (0, 3), "size": (1, 3)})
VARIABLES: tuple[Var[Any], ...] = tuple(x for x in (w, v, j, k, n) if isinstance(x, Var))

workers = st.sampled_from((w, v))
jobs = st.sampled_from((j, k))


@st.composite
def terms(draw: st.DrawFn, kind: str, depth: int = 3) -> Term[Any]:
    """Draw a term of a kind (`bool`, `set`, `list`, `option`, `int`) whose free variables are among `VARIABLES`."""

    def some(of: str) -> Any:
        return draw(terms(of, depth - 1))

    number = draw(st.integers(0, 9))
    x, y = draw(workers), draw(jobs)
    if kind == "int":
        if depth <= 0 or number < 4:
            return draw(st.sampled_from((n, term)))
        if number < 7:
            return some("int") + draw(st.integers(0, 2))  # type: ignore[no-any-return]
        if number == 7:
            return when(some("bool"), some("int"), some("int"))
        return max_of(n, n < some("int"), draw(st.integers(0, 2)))
    if kind == "set":
        if depth <= 0 or number < 2:
            return draw(st.sampled_from((team[y], just(x), just(holder[y]))))
        if number < 5:
            left, right = some("set"), some("set")
            return draw(st.sampled_from((left | right, left & right, left - right)))
        if number < 8:
            return those(x, some("bool"))
        return members(some("list"))
    if kind == "list":
        if depth <= 0 or number < 3:
            return draw(st.sampled_from((order[y], only(x), only(holder[y]))))
        choices = (keep, drop)
        if number < 6:
            return draw(st.sampled_from(choices))(some("list"), some("set"))
        return then(some("list"), some("list")) if number < 8 else ascending(some("set"))
    if kind == "option":
        if depth <= 0 or number < 3:
            return holder[y]
        if number < 6:
            return first(some("list"), some("set"))
        return head(some("list")) if number < 8 else else_(some("option"), some("option"))
    if depth <= 0 or number == 0:
        return draw(st.sampled_from((alive[x], resting[x])))
    if number < 3:
        quantifier = draw(st.sampled_from((forall, exists)))
        return quantifier(draw(st.sampled_from((x, y, n))), some("bool"))  # type: ignore[no-any-return]
    if number < 6:
        left, right = some("bool"), some("bool")
        return draw(st.sampled_from((left & right, left | right, ~left, left.implies(right), let("named", left, x))))
    if number == 6:
        return draw(st.sampled_from((some("int") < some("int"), some("int").is_(some("int")))))
    if number == 7:
        return draw(st.sampled_from((some("set") <= some("set"), empty(some("set")), at_least(some("set"), quorum))))
    if number == 8:
        option = some("option")
        return draw(st.sampled_from((present(option), absent(option), option.in_(some("set")), x.in_(some("list")))))
    return draw(st.sampled_from((some("list").is_(some("list")), some("set").is_(some("set")))))


@st.composite
def states(draw: st.DrawFn) -> Valuation:
    """Draw a state of the sample in `WORLD`."""
    cells: dict[Any, Any] = {(term.state, ()): draw(st.integers(0, 3)), (quorum.state, ()): draw(st.integers(1, 3))}  # type: ignore[attr-defined]
    for who in WORLD.values(WORKER):
        cells[alive.state, (who,)] = draw(st.booleans())
        cells[resting.state, (who,)] = draw(st.booleans())
    for what in WORLD.values(JOB):
        cells[order.state, (what,)] = draw(st.sampled_from(WORLD.values(order.state.kind)))
        cells[team.state, (what,)] = draw(st.sampled_from(WORLD.values(team.state.kind)))
        cells[holder.state, (what,)] = draw(st.sampled_from(WORLD.values(holder.state.kind)))
    return Valuation(cells)


@st.composite
def binding(draw: st.DrawFn) -> dict[Var[Any], Any]:
    """Draw a value for every variable."""
    return {x: draw(st.sampled_from(WORLD.values(x.kind))) for x in VARIABLES}
