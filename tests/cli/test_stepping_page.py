"""The states of a small bound in the page of `explore --html`: what the page has is what the interpreter finds."""

import base64
import gzip
import json
import random
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fencepost.checkers.counterexample import binding_text, changes, holds
from fencepost.checkers.exploration import explore
from fencepost.checkers.exploration.explicit import MOST, ExplicitGraph, explicit_graph
from fencepost.checkers.exploration.result import Exploration
from fencepost.checkers.reports.stepping import TOO_MANY, packed, stepping
from fencepost.checkers.stepping import Stepper
from fencepost.model.language import Always, Evaluation, EvaluationError, Sometimes
from fencepost.model.language.render import text, value_text
from fencepost.model.registry import find
from tests.cli.browsing import in_browser

SAMPLE = 12
Found = tuple[Exploration, ExplicitGraph]

by_day = pytest.mark.representative("kip343")


def graph_of(name: str, bound: str) -> Found:
    """Return an exploration and the graph with its runs."""
    protocol = find(name).bounds[bound]
    found = explore(protocol, bound, engine="numpy")
    graph = explicit_graph(protocol, bound, verdicts=found.properties)
    assert graph is not None
    return found, graph


@pytest.fixture(scope="module", params=[("kip343", "tiny"), ("kip46", "tiny")], ids=["kip343", "kip46"])
def found(request: pytest.FixtureRequest) -> Found:
    """A protocol at a bound."""
    return graph_of(*request.param)


def steppers(graph: ExplicitGraph) -> dict[int, Stepper]:
    """Return the interpreter's view of some states, drawn from a seed, with the first and the last."""
    numbers = random.Random(3).sample(range(len(graph.states)), SAMPLE)
    made = {}
    for number in (0, len(graph.states) - 1, *numbers):
        made[number] = Stepper(graph.protocol, graph.bound)
        made[number].start = graph.layout.valuation(graph.states[number])
    return made


@by_day
def test_the_graph_has_what_exploration_counts(found: Found) -> None:
    """States, steps and states in reach of none are those of an exploration."""
    explored, graph = found
    inside = graph.steps[graph.steps[:, 3] >= 0]
    assert len(graph.states) == explored.distinct
    assert len(inside) + graph.initial == explored.transitions
    fired = {row.row.id: int(np.count_nonzero(inside[:, 1] == place)) for place, row in enumerate(graph.rows)}
    assert {id: count for id, count in fired.items() if count} == {k: n for k, n in explored.rows_fired.items() if n}


@by_day
def test_enabled_rows_are_those_of_the_interpreter(found: Found) -> None:
    """In sampled states: the same rows under the same parameters lead to the same states, or out of a range."""
    _, graph = found
    for number, stepper in steppers(graph).items():
        mine = set()
        for _, place, code, target in graph.steps[graph.steps[:, 0] == number].tolist():
            row = graph.rows[place]
            binding = dict(zip(row.row.params, row.radix.decode(code), strict=True))
            after = None if target < 0 else graph.layout.valuation(graph.states[target])
            mine.add((row.row.id, binding_text(binding), after))
        theirs = {(one.row.id, binding_text(one.binding), one.after) for one in stepper.moves()}
        assert mine == theirs


@by_day
def test_why_not_is_the_interpreters(found: Found) -> None:
    """Of each row in sampled states: its conditions hold up to the first false one under the given parameters,
    that is false whatever the parameters that only it waits for, and no other parameters come further."""
    _, graph = found
    for number, stepper in steppers(graph).items():
        here = Evaluation(stepper.world, stepper.state)

        def true(condition: Any, binding: Any, here: Evaluation = here) -> bool:
            try:
                return bool(here.value(condition, binding))
            except EvaluationError:
                return False

        for place, reach in enumerate(graph.guards):
            row = graph.rows[place]
            deep, code = (int(one[number]) for one in graph.reaches[place])
            furthest = 0
            for binding in stepper.bindings(row.row, {}):
                holding = [true(one, binding) for one in reach.conditions]
                furthest = max(furthest, holding.index(False) if False in holding else len(holding))
            assert deep == furthest
            told = dict(zip(row.row.params, row.radix.decode(code), strict=True))
            known = {var: told[var] for var in (reach.known[deep - 1] if deep else ())}
            for binding in stepper.bindings(row.row, known):
                assert all(true(one, binding) for one in reach.conditions[:deep])
                assert deep == len(reach.conditions) or not true(reach.conditions[deep], binding)


@by_day
def test_what_a_state_shows_is_the_interpreters(found: Found) -> None:
    """A property of one state is false, or witnessed, in the states that are said, and in no other of the sampled."""
    _, graph = found
    nowhere = np.zeros(len(graph.states), bool)
    for number, stepper in steppers(graph).items():
        for one in graph.protocol.properties:
            if isinstance(one, (Always, Sometimes)):
                shown = holds(one.term, stepper.state, stepper.world) == isinstance(one, Sometimes)
                assert bool(graph.shows.get(one.id, nowhere)[number]) == shown


@by_day
def test_runs_are_paths_of_the_graph(found: Found) -> None:
    """Each run of the exploration leads through states by steps of the graph, and ends where its property is shown."""
    explored, graph = found
    assert {path.id for path in graph.paths} == {one.id for one in explored.properties if one.trace is not None}
    for path in graph.paths:
        assert path.states[0] < graph.initial
        for (before, after), (row, _) in zip(zip(path.states, path.states[1:], strict=False), path.steps, strict=True):
            here = graph.steps[(graph.steps[:, 0] == before) & (graph.steps[:, 3] == after)]
            assert row in {graph.rows[place].row.id for place in here[:, 1].tolist()}
        if path.id in graph.shows and not path.inside and path.loop is None:
            assert graph.shows[path.id][path.states[-1]]


@by_day
def test_the_data_of_the_page_is_the_graph(found: Found) -> None:
    """What the page unpacks has the states, cell by cell, and the steps."""
    _, graph = found
    whole = gzip.decompress(base64.b64decode(packed(graph)))
    length = int.from_bytes(whole[:4], "little")
    head = json.loads(whole[4 : 4 + length])

    def column(name: str) -> Any:
        width, at, count = head["columns"][name]
        return np.frombuffer(whole, f"<u{width}", count, 4 + length + at).astype(np.int64)

    assert (column("target") + head["outside"]).tolist() == graph.steps[:, 3].tolist()
    assert column("row").tolist() == graph.steps[:, 1].tolist()
    assert np.diff(column("first")).tolist() == np.bincount(graph.steps[:, 0], minlength=head["states"]).tolist()
    for number in (0, len(graph.states) - 1):
        state = graph.layout.valuation(graph.states[number])
        for place, cell in enumerate(head["cells"]):
            which = int(column(f"cell {place}")[number]) if len(cell["values"]) > 1 else 0
            assert cell["values"][which] == value_text(state.read(*graph.layout.cells[place]))


def test_a_larger_bound_is_refused_in_one_sentence(fencepost_says: Callable[..., Any], tmp_path: Path) -> None:
    """The page of a bound of more states says so where the states would be; the verdict is as without it."""
    protocol = find("kip343").bounds["small"]
    assert explicit_graph(protocol, "small") is None
    page = tmp_path / "page.html"
    said = fencepost_says("explore", "kip343", "--bound", "small", "--max-states", "20001", "--html", page)
    assert said.code == 3
    told = unescape(page.read_text(encoding="utf-8"))
    assert TOO_MANY.refused in told
    assert f"more than {MOST:,} states" in TOO_MANY.refused
    assert 'id="step-data"' not in told


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> tuple[ExplicitGraph, str]:
    """A graph, and the page of `explore --html` that has it."""
    from fencepost.checkers.cli.main import main

    file = tmp_path_factory.mktemp("page") / "walk.html"
    assert main(["explore", "kip343", "--bound", "tiny", "--html", str(file)]) == 0
    return graph_of("kip343", "tiny")[1], file.read_text(encoding="utf-8")


def opened(page: str, folder: Path, fragment: str, act: str = "") -> str:
    """Return the part of the page about states once a browser has unpacked them, and the attributes of its root."""
    told = in_browser(page, folder, fragment, act, ("--virtual-time-budget=10000", "--window-size=400,900"))
    root = told.split(">", 2)[1] if told.startswith("<!DOCTYPE") else told.split(">", 1)[0]
    assert 'data-stepping="on"' in root, root
    return root + told.split('<section id="stepping">', 1)[1].split("</section>", 1)[0]


def items(told: str, id: str) -> list[str]:
    """Return what the items of a list say."""
    (inside,) = re.findall(rf'<ul id="{id}">(.*?)</ul>', told, re.DOTALL)
    plain = (unescape(re.sub(r"<[^>]*>", "", one)) for one in re.findall(r"<li[^>]*>(.*?)</li>", inside, re.DOTALL))
    return [" ".join(one.split()) for one in plain]


@pytest.mark.browser
def test_a_browser_shows_a_state_as_the_interpreter_has_it(page: tuple[ExplicitGraph, str], tmp_path: Path) -> None:
    """A link to a state shows its enabled rows with what they change, and of each other row the first false condition;
    on a screen of 400 pixels nothing is wider than it."""
    graph, html = page
    number = 1_200
    wide = "document.documentElement.dataset.wide = document.documentElement.scrollWidth - innerWidth;"
    told = opened(html, tmp_path, f"#state={number}", f"setTimeout(() => {{{wide}}}, 2000);")
    assert f'data-state="{number}"' in told
    (over,) = re.findall(r'data-wide="(-?\d+)"', told)
    assert int(over) <= 0
    stepper = Stepper(graph.protocol, graph.bound)
    stepper.start = graph.layout.valuation(graph.states[number])
    expected = {}
    for one in stepper.moves():
        assert one.after is not None
        expected[one.text()] = set(changes(stepper.state, one.after))
    assert len(expected) > 3
    parts = [one.rpartition(") ") for one in items(told, "step-enabled")]
    assert {f"{move})": set(changed.split("; ")) for move, _, changed in parts} == expected
    enabled = {one.row.id for one in stepper.moves()} | set(stepper.still())
    unmet = {one.split(" ", 1)[0]: one for one in items(told, "step-unmet")}
    assert set(unmet) == set(stepper.rows) - enabled
    for place, reach in enumerate(graph.guards):
        id = graph.rows[place].row.id
        if id in unmet:
            assert f": {text(reach.conditions[int(graph.reaches[place][0][number])])} is false" in unmet[id]


@pytest.mark.browser
def test_a_run_is_stepped_through(page: tuple[ExplicitGraph, str], tmp_path: Path) -> None:
    """A link to a step of a property's run shows the run with that step, and the row that goes on; taking it leads to
    the next state, and back again."""
    graph, html = page
    run = next(path for path in graph.paths if path.id == "HI3c")
    assert '<a href="#run=HI3c&amp;step=0"' in html
    click = 'setTimeout(() => document.querySelector("#step-enabled .next button").click(), 1500);'
    told = opened(html, tmp_path, "#run=HI3c&step=2", click)
    assert f'data-state="{run.states[3]}"' in told
    told = opened(html, tmp_path, "#run=HI3c&step=2", f"{click} setTimeout(() => history.back(), 3000);")
    assert f'data-state="{run.states[2]}"' in told
    assert re.search(r'<li class="here"><a href="#run=HI3c&amp;step=2" aria-current="step">2\. ', told)
    (going_on,) = re.findall(r'<li class="next"><button type="button">(\S+) ', told)
    assert going_on == run.steps[2][0]
    told = opened(html, tmp_path, f"#run=HI3c&step={len(run.steps)}")
    assert "false of the step to here: HI3c" in told


CLOCK = """
from fencepost.model.language import Bound, always, cell, counter, event, protocol, table

now = cell("now", counter("time"), 0)
tick = event("Tick", source="the clock")
EARLY = always("EARLY", now < 2, "It is early.", "the clock")
ROWS = table("clock", tick("C1", now < 9, now.becomes(now + 1)))
P = protocol("clock", ROWS, properties=(EARLY,), bounds={"two": Bound({"time": 2})})
"""


@pytest.mark.browser
def test_a_step_out_of_a_range_cannot_be_taken(
    fencepost_says: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the end of a run whose last state has such a step, it is listed with its reason, and nothing goes on."""
    monkeypatch.chdir(tmp_path)
    Path("clock.py").write_text(CLOCK, encoding="utf-8")
    assert fencepost_says("explore", "clock.py:P", "--bound", "two", "--html", "clock.html").code == 1
    html = Path("clock.html").read_text(encoding="utf-8")
    assert '<a href="#run=EARLY&amp;step=0">Step through this run</a>' in html
    told = opened(html, tmp_path, "#run=EARLY&step=2")
    assert items(told, "step-enabled") == ["C1 Tick() would leave a range of the bound"]
    assert '<button type="button" disabled="">C1 Tick()' in told
    assert "false here: EARLY" in told
    assert 'class="next"' not in told


def test_without_a_script_the_page_says_so(page: tuple[ExplicitGraph, str]) -> None:
    """What needs the script is hidden until it runs, and a sentence is there in its place; nothing is loaded."""
    _, html = page
    assert '<div id="step-page" hidden>' in html
    assert "stepping through them needs JavaScript" in html
    assert re.findall(r"https?:|url\(|@import|<link|\bsrc=|fetch\(", html) == []


@by_day
def test_the_template_gets_the_runs_by_name(found: Found) -> None:
    """What the page is made from counts the states, and names the properties that have a run."""
    _, graph = found
    made = stepping(graph)
    assert (made.states, made.refused) == (len(graph.states), "")
    assert set(made.runs) == {path.id for path in graph.paths}
