"""`fencepost explore --step`, `--replay` and `fencepost trace to-test`: piped sessions, and runs that were saved."""

import io
import itertools
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost import Refusal, find
from fencepost.checkers.conjuncts import conjuncts
from fencepost.checkers.stepping import Differs, Stepper, condition, replay_run, value_of
from fencepost.checkers.stepping.runs import written_run
from fencepost.model.language import Always, Evaluation, Valuation, World
from fencepost.model.language.kinds import EnumKind, ListKind, OptionKind, SetKind
from fencepost.model.language.render import text, value_text
from tests.cases import each

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "step.md"
Types = Callable[..., Any]


@pytest.fixture
def types(fencepost_says: Types, monkeypatch: pytest.MonkeyPatch) -> Types:
    """Return a function that runs one command line with lines on its standard input."""

    def run(lines: str, *arguments: str | Path) -> Any:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        return fencepost_says(*arguments)

    return run


def tiny() -> Stepper:
    """Return a walk over the smallest bound of kip343."""
    return Stepper(find("kip343").bounds["tiny"], "tiny")


def goal(stepper: Stepper, words: str) -> Any:
    """Return a condition as it is typed."""
    return condition(words, stepper.protocol, stepper.world)


# -- walking ---------------------------------------------------------------------------------------------------------
def test_a_session_takes_rows_goes_back_and_ends_with_its_run(types: Types) -> None:
    """Rows are taken by number and by id; `back` undoes one; at the end of input the rows that remain are printed."""
    said = types("2\ntake HZ5 b=0\nback\n", "explore", "kip343", "--bound", "tiny", "--step")
    assert said.code == 0
    assert "1. HF1 FormCluster(old_brokers={})\n     controller: false → true" in said.out
    assert "2. HZ5 StopBroker(b=0)\n     running[0]: true → false" in said.out
    assert "2> back\n     running[0]: false → true" in said.out
    end = said.out[said.out.rindex("kip343 at tiny: a run of") :]
    assert end.startswith("kip343 at tiny: a run of 1 row\n  start: controller_timeout=0, broker_timeout=1\n")
    assert "HZ5" not in end


def test_the_document_of_a_session_is_alone_on_standard_output(types: Types) -> None:
    """With --json standard output holds the run and nothing of the talk; what was refused is in it, and ends with 2."""
    said = types("2\nnonsense\n99\n", "explore", "kip343", "--bound", "tiny", "--step", "--json")
    document = said.document
    assert (said.code, document["exit_code"], document["steps"]) == (2, 2, 1)
    assert [step["row"] for step in document["run"]["trace"]["steps"]] == ["HF1"]
    assert document["refused"] == [
        "'nonsense' is no command; help lists them",
        "no row has the number 99 here; rows lists them",
    ]
    assert "1. HF1 FormCluster" in said.err


def test_the_rows_that_are_listed_are_those_that_are_enabled() -> None:
    """Each row and binding is either listed as enabled or has a conjunct that is false; those before it are true."""
    stepper = Stepper(find("lease").bounds["tiny"], "tiny")
    seen = 0
    for _ in range(4):
        for row in stepper.protocol.rows:
            enabled, unmet, whole = stepper.why(row, {})
            count = 1
            for variable in row.params:
                count *= len(stepper.world.values(variable.kind))
            assert whole
            assert len(enabled) + len(unmet) == count
            here = Evaluation(stepper.world, stepper.state)
            parts = conjuncts(stepper.guards[row.id])
            for no in unmet:
                assert [bool(here.value(p, no.binding)) for p in parts[: no.first + 1]] == [True] * no.first + [False]
                seen += 1
        moves = [one for one in stepper.moves() if one.after not in (None, stepper.state)]
        stepper.take(moves[0])
    assert seen > 20


def test_why_names_the_first_false_conjunct_with_its_values(types: Types) -> None:
    """Of a row that is not enabled the conjunct is printed with what it reads, the nearest binding first."""
    said = types("2\nwhy H7 b=0\nwhy H2\nwhy H77\nwhy H7 c=0\n", "explore", "kip343", "--bound", "tiny", "--step")
    told = " ".join(said.out.split())
    assert (
        "H7(b=0): last_reply[b] + broker_timeout < now is false, where last_reply[b] = 0, broker_timeout = 1, now = 0"
    ) in told
    nearest = told.index("H2(b=0, incarnation=0, target=ACTIVE, valid=true): asked[b] is false, where asked[b] = false")
    assert nearest < told.index("(2 of 7 conjuncts are)") < told.index("20 other bindings fail too")
    assert "has no row 'H77' at this bound; did you mean H7, HZ7?" in told
    assert "'c=0' gives no parameter; H7 has the parameters b, given as p=VALUE" in told


def test_a_row_that_only_the_bound_disables_is_told_so(types: Types, tmp_path: Path) -> None:
    """A row whose guard holds and that would leave a range is listed as such, by `why` too, and cannot be taken."""
    path = tmp_path / "clock.py"
    path.write_text(CLOCK, encoding="utf-8")
    said = types("1\n1\nwhy C1\n", "explore", f"{path}:P", "--bound", "one", "--step")
    assert said.code == 2
    assert "1  C1 Tick(): would leave a range of the bound" in said.out
    assert "C1 Tick() would leave a range of the bound; take another row" in said.out
    assert "C1(): its guard holds; it would leave a range of the bound" in said.out
    assert "a run of 1 row" in said.out


CLOCK = """
from fencepost.model.language import Bound, cell, counter, event, protocol, table

now = cell("now", counter("time"), 0)
tick = event("Tick", source="the clock")
P = protocol("clock", table("clock", tick("C1", now < 9, now.becomes(now + 1))), bounds={"one": Bound({"time": 1})})
"""


# -- until -----------------------------------------------------------------------------------------------------------
def distance(stepper: Stepper, words: str, most: int = 6) -> int:
    """The length of a shortest run to a condition, by the interpreter alone."""
    wanted = goal(stepper, words)
    start, steps = stepper.start, list(stepper.steps)
    seen: set[Valuation] = {stepper.state}
    level = [stepper.state]
    try:
        for depth in range(most):
            if any(Evaluation(stepper.world, one).value(wanted, {}) for one in level):
                return depth
            following = []
            for state in level:
                stepper.start, stepper.steps = state, []
                for move in stepper.moves():
                    if move.after is not None and move.after not in seen:
                        seen.add(move.after)
                        following.append(move.after)
            level = following
    finally:
        stepper.start, stepper.steps = start, steps
    return -1


@pytest.mark.parametrize("before", [0, 1])
def test_until_goes_along_a_shortest_run(before: int) -> None:
    """The run to a condition is as short as a search by the interpreter finds, from the start and from further on."""
    stepper = tiny()
    if before:
        stepper.take(next(one for one in stepper.moves() if one.row.id == "HF1"))
    words = "fenced[0] and running[0]"
    shortest = distance(stepper, words)
    found = stepper.until(goal(stepper, words))
    assert found.trace is not None
    assert len(found.trace.steps) == shortest == 4 - before
    assert len(stepper.steps) == 4
    assert Evaluation(stepper.world, stepper.state).value(goal(stepper, words), {})


def test_until_stays_where_no_state_satisfies_the_condition() -> None:
    """A condition that no reachable state satisfies is said to be none, of all states, and the run stays."""
    stepper = tiny()
    stepper.take(next(one for one in stepper.moves() if one.row.id == "HT1"))
    before = stepper.state
    found = stepper.until(goal(stepper, "fenced[0]"))
    assert (found.trace, found.closed, stepper.state) == (None, True, before)


def test_until_says_when_its_budget_is_spent(types: Types) -> None:
    """A search that stops at a number of states does not say that there is no such state."""
    command = ("explore", "kip343", "--bound", "tiny", "--step", "--max-states", "5")
    said = types("until fenced[0] and running[0]\n", *command)
    assert "the budget is spent" in said.out
    assert "every state" not in said.out


# -- conditions ------------------------------------------------------------------------------------------------------
@each(
    ("words", "read"),
    [
        ("fenced[0] and not running[0]", "fenced[0] and not running[0]"),
        ("state[0] = ACTIVE or now >= 1", "state[0] = ACTIVE or now ≥ 1"),
        ("state[0] in {ACTIVE, STOPPING}", "state[0] ∈ {ACTIVE, STOPPING}"),
        ("1 < now", "now > 1"),
        ("some b: fenced[b] and registered[b] != 0", "some b: fenced[b] and registered[b] ≠ 0"),
        ("every x of Broker: not fenced[x]", "every x: not fenced[x]"),
        ("~(fenced[0])", "not fenced[0]"),
        ("registered[0] = incarnation[0] + 1", "registered[0] = incarnation[0] + 1"),
    ],
)
def test_a_condition_is_read_as_tables_write_it(words: str, read: str) -> None:
    """What is typed becomes the term that the tables would have, in their own words when it is printed."""
    assert text(goal(tiny(), words)) == read


@pytest.mark.parametrize("name", ["kip343", "lease"])
def test_a_property_is_read_back_as_it_is_printed(name: str) -> None:
    """The conditions that properties claim of states, as they are printed, are read as the very same terms."""
    stepper = Stepper(find(name).bounds["tiny"], "tiny")
    claims = [one for one in stepper.protocol.properties if isinstance(one, Always) and "if " not in text(one.term)]
    assert len(claims) >= 6
    assert [one.id for one in claims if goal(stepper, text(one.term)) is not one.term] == []


@each(
    ("words", "said"),
    [
        ("fencd[0]", "did you mean fenced"),
        ("fenced[7]", "'7' is no Broker; there are 0"),
        ("fenced", "'\\[' is missing"),
        ("fenced[0] = maybe", "there are false, true"),
        ("now", "is a .* and no condition"),
        ("1 = 2", "both values"),
        ("(fenced[0]", "'\\)' is missing at its end"),
        ("fenced[0] running[0]", "too much before 'running'"),
        ("", "a condition is missing"),
    ],
)
def test_a_condition_that_cannot_be_read_gets_a_sentence(words: str, said: str) -> None:
    """A condition with a name, key, value or sign that is wrong is refused with what is wrong and where."""
    with pytest.raises(Refusal, match=said):
        goal(tiny(), words)


def test_values_are_read_as_they_are_written() -> None:
    """The text of every value of every kind, sets and lists too, is read as that value."""
    [sort] = find("kip343").bounds["tiny"].sorts
    world = World({sort.name: (0, 1, 2)}, {"now": (0, 3)})
    state = next(one.kind for one in find("kip343").bounds["tiny"].states if isinstance(one.kind, EnumKind))
    kinds: list[Any] = [sort, OptionKind(sort), SetKind(sort), ListKind(sort), OptionKind(SetKind(sort)), state]
    for kind in kinds:
        for value in world.values(kind):
            assert value_of(value_text(value), kind, world) == value


# -- saved runs ------------------------------------------------------------------------------------------------------
def saved(types: Types, path: Path, lines: str = "until fenced[0] and running[0]\n") -> dict[str, Any]:
    """Save a run of kip343 and return its document."""
    said = types(f"{lines}save {path}\n", "explore", "kip343", "--bound", "tiny", "--step")
    assert said.code == 0, said.out
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def test_a_saved_run_replays(types: Types, tmp_path: Path) -> None:
    """A run that was saved replays with 0; it is not written over."""
    path = tmp_path / "run.json"
    run = saved(types, path)
    assert len(run["trace"]["steps"]) == 4
    said = types("", "explore", "kip343", "--bound", "tiny", "--replay", path, "--json")
    assert (said.code, said.document["verdict"], said.document["steps"]) == (0, "replays", 4)
    again = types(f"save {path}\n", "explore", "kip343", "--bound", "tiny", "--step")
    assert again.code == 2
    assert "is there already" in again.out


def _state(run: dict[str, Any]) -> str:
    run["trace"]["steps"][1]["state"]["running[0]"] = "true"
    return r"step 2 \(HZ5\) differs: running\[0\] is false after it, and the run says true"


def _left_out(run: dict[str, Any]) -> str:
    del run["trace"]["steps"][1]
    return r"step 2 differs: the guard of HZ2\(b=0\) is false: "


def _parameter(run: dict[str, Any]) -> str:
    run["trace"]["steps"][3]["binding"]["legacy"] = "true"
    return r"step 4"


def _row(run: dict[str, Any]) -> str:
    run["trace"]["steps"][0]["row"] = "HX"
    return "step 1 is by HX, and there is no such row"


def _start(run: dict[str, Any]) -> str:
    run["trace"]["start"]["broker_timeout"] = "0"
    return "the first state is no initial one"


def _answer(run: dict[str, Any]) -> str:
    run["trace"]["steps"][2]["answer"] = "YES"
    return "it answers nothing, and the run says YES"


def _shown(run: dict[str, Any]) -> str:
    run["shows"] = "HI1"
    return "HI1 is not violated at its end"


@pytest.mark.parametrize("alter", [_state, _left_out, _parameter, _row, _start, _answer, _shown])
def test_an_altered_run_is_told_apart_in_one_sentence(
    types: Types, tmp_path: Path, alter: Callable[[dict[str, Any]], str]
) -> None:
    """A run with another state, row, parameter, start, answer or claim ends with 1, and says in which step it
    differs."""
    path = tmp_path / "run.json"
    run = saved(types, path)
    wanted = alter(run)
    path.write_text(json.dumps(run), encoding="utf-8")
    said = types("", "explore", "kip343", "--bound", "tiny", "--replay", path)
    assert said.code == 1
    assert re.search(wanted, said.sentence), said.sentence


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "there is no such file"),
        ("", "is no JSON"),
        ("[]", "is no JSON object"),
        ("{}", "this is no run"),
        ('{"format": "fencepost run 1", "protocol": "kip343", "bound": "tiny", "trace": {}}', "no run that fencepost"),
    ],
)
def test_a_file_that_is_no_run_ends_with_2(types: Types, tmp_path: Path, content: str | None, said: str) -> None:
    """A missing file, and one that holds no run, end with 2 and a sentence."""
    path = tmp_path / "run.json"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    found = types("", "explore", "kip343", "--bound", "tiny", "--replay", path)
    assert found.code == 2
    assert said in found.sentence


def test_a_run_of_other_tables_differs(types: Types, tmp_path: Path) -> None:
    """A run of a protocol is not one of a variant whose row asks for more."""
    stepper = tiny()
    stepper.take(next(one for one in stepper.moves() if one.row.id == "HF1"))
    run = written_run("kip343", "tiny", stepper.trace)
    changed = stepper.protocol.but("HF1", effects=(), why="nothing is formed")
    with pytest.raises(Differs, match="step 1"):
        replay_run(run, tables=changed, bound="tiny")


def test_another_first_state_is_chosen_by_number_or_by_condition(types: Types, tmp_path: Path) -> None:
    """Of several first states one is chosen by its number or by a condition, and the run begins there."""
    path = tmp_path / "clocks.py"
    path.write_text(CLOCK.replace('counter("time"), 0', 'counter("time"), ANY').replace("Bound,", "ANY, Bound,"))
    command = ("explore", f"{path}:P", "--bound", "one", "--step", "--json")
    for typed, now in (("", "0"), ("start 2\n", "1"), ("start now = 1\n", "1"), ("start 2\nstart 1\n", "0")):
        document = types(typed, *command).document
        assert (document["run"]["trace"]["start"], document["refused"]) == ({"now": now}, [])
    refused = types("start 3\nstart now = 5\n", *command).document["refused"]
    assert refused == ["there is no first state 3; there are 2", "no first state satisfies now = 5"]


# -- runs as tests ---------------------------------------------------------------------------------------------------
def broken(fencepost_says: Types, tmp_path: Path, name: str, command: str = "explore") -> Path:
    """Save the document of a command that finds a violation."""
    more = ("--bound", "one") if command == "explore" else ()
    path = tmp_path / f"{command}.json"
    path.write_text(fencepost_says(command, name, *more, "--json").out, encoding="utf-8")
    return path


@pytest.mark.parametrize("command", ["explore", "prove"])
def test_a_counterexample_becomes_a_test_that_a_repair_fails(
    fencepost_says: Types, lamp: Callable[..., str], tmp_path: Path, command: str
) -> None:
    """The test of a counterexample passes, and fails once the row that broke the property is mended."""
    name = lamp("~lit")
    document = broken(fencepost_says, tmp_path, name, command)
    target = tmp_path / "sub" / "test_lamp.py"
    target.parent.mkdir()
    said = fencepost_says("trace", "to-test", document, "--to", target, "--protocol", name, "--json")
    assert (said.code, said.document["property"]) == (0, "A1")
    written = target.read_text(encoding="utf-8")
    assert "lamp.py:P" in written
    assert str(tmp_path) not in written
    scope: dict[str, Any] = {"__file__": str(target), "__name__": "generated"}
    exec(compile(written, str(target), "exec"), scope)
    [check] = [one for key, one in scope.items() if key.startswith("test_")]
    assert "violates A1" in check.__doc__
    check()
    lamp("~lit", **{"lit.becomes(TRUE)": "lit.becomes(FALSE)"})
    with pytest.raises(Differs, match=r"step 1 \(L1\) differs: lit is false after it"):
        check()
    lamp("TRUE")
    with pytest.raises(Differs, match="A1 is not violated"):
        check()


@pytest.mark.slow
def test_pytest_runs_what_is_written(types: Types, tmp_path: Path) -> None:
    """pytest collects the file that is written of a saved run, and it passes."""
    path, target = tmp_path / "run.json", tmp_path / "test_run.py"
    saved(types, path)
    assert types("", "trace", "to-test", path, "--to", target).code == 0
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", str(target)], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert "1 passed" in done.stdout, done.stdout


def test_a_test_is_not_written_over(types: Types, tmp_path: Path) -> None:
    """A file that is there already stays as it is."""
    path, target = tmp_path / "run.json", tmp_path / "test_run.py"
    saved(types, path)
    target.write_text("mine", encoding="utf-8")
    said = types("", "trace", "to-test", path, "--to", target)
    assert said.code == 2
    assert "is there already" in said.sentence
    assert target.read_text(encoding="utf-8") == "mine"


def test_a_document_without_a_violation_makes_no_test(
    fencepost_says: Types, lamp: Callable[..., str], tmp_path: Path
) -> None:
    """A document in which nothing is violated is refused, and so is a property of which it has no run."""
    document = broken(fencepost_says, tmp_path, lamp("TRUE"))
    assert "no property is violated" in fencepost_says("trace", "to-test", document, "--protocol", lamp()).sentence
    document = broken(fencepost_says, tmp_path, lamp("~lit"))
    said = fencepost_says("trace", "to-test", document, "--property", "A2", "--protocol", lamp("~lit"))
    assert (said.code, "there are runs of A1" in said.sentence) == (2, True)


# -- the page --------------------------------------------------------------------------------------------------------
def test_the_page_shows_what_is_printed(types: Types, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each block of docs/step.md that begins with a command is its output, what is typed standing at the prompts."""
    blocks = re.findall(r"^```console\n\$ (fencepost [^\n]*)\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.M)
    assert len(blocks) >= 3
    monkeypatch.chdir(tmp_path)
    for command, shown in blocks:
        typed = "".join(f"{line}\n" for line in re.findall(r"^\d+> (.*)$", shown, re.MULTILINE))
        said = types(typed, *shlex.split(command)[1:])
        printed = said.out or said.err
        parts = [one.strip("\n") for one in re.split(r"^…$", shown, flags=re.MULTILINE)]
        at = 0
        for one in itertools.filterfalse(lambda one: not one, parts):
            assert one in printed[at:], printed
            at = printed.index(one, at)
