"""Runs read from ITF: what was written comes back and replays, and what is no run of the protocol is named."""

import itertools
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.stepping import Differs, Stepper, replay_run, written, written_run
from fencepost.checkers.tlc.itf import about_run, itf
from fencepost.checkers.tlc.itf_reading import run_of
from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import Protocol
from fencepost.model.registry import FAMILIES, find

STEPS = 5


def walked(protocol: Protocol, bound: str) -> dict[str, Any]:
    """Return a run of some rows at a bound, drawn from a seed, as `save` writes it."""
    stepper, drawn = Stepper(protocol, bound), random.Random(7)
    for _ in range(STEPS):
        moves = [one for one in itertools.islice(stepper.moves(), 30) if one.after not in (None, stepper.state)]
        stepper.take(drawn.choice(moves))
    return written_run(protocol.name, bound, stepper.trace)


def as_itf(run: dict[str, Any], protocol: Protocol, variants: bool = False) -> dict[str, Any]:
    """Return a run as the JSON of an ITF file, as it is read from there."""
    found = itf(protocol, written(run, protocol), None, about_run(run, protocol, False), variants)
    read: dict[str, Any] = json.loads(json.dumps(found))
    return read


def bare(trace: dict[str, Any]) -> dict[str, Any]:
    """Return a trace as a tool that knows nothing of fencepost has it: variables and states alone."""
    names = [one for one in trace["vars"] if not one.startswith("mbt::")]
    return {"vars": names, "states": [{name: state[name] for name in names} for state in trace["states"]]}


@pytest.mark.parametrize("name", FAMILIES)
def test_a_run_comes_back_from_a_trace_of_either_form(name: str) -> None:
    """Of every protocol: rows, parameters, records, answers and states are those that were written, and replay."""
    bound, protocol = next(iter(find(name).bounds.items()))
    run = walked(protocol, bound)
    for variants in (False, True):
        back = run_of(as_itf(run, protocol, variants), protocol, protocol.name, bound)
        assert back == run
    assert len(replay_run(back, tables=protocol, bound=bound).steps) == STEPS


@pytest.mark.parametrize("name", FAMILIES)
def test_rows_are_found_for_a_trace_that_names_none(name: str) -> None:
    """A trace without `#meta` is a run of rows that lead through its states."""
    bound, protocol = next(iter(find(name).bounds.items()))
    run = walked(protocol, bound)
    back = run_of(bare(as_itf(run, protocol)), protocol, protocol.name, bound)
    trace = replay_run(back, tables=protocol, bound=bound)
    states = [step["state"] for step in run["trace"]["steps"]]
    assert [step["state"] for step in trace.as_json()["steps"]] == states


@pytest.fixture(scope="module")
def trace() -> tuple[Protocol, dict[str, Any]]:
    """A protocol, and the trace of a run of it."""
    protocol = find("kip343").bounds["tiny"]
    return protocol, as_itf(walked(protocol, "tiny"), protocol)


def _without(name: str) -> Callable[[dict[str, Any]], Any]:
    def change(trace: dict[str, Any]) -> None:
        trace["vars"].remove(name)

    return change


def _state(number: int, name: str, value: Any) -> Callable[[dict[str, Any]], Any]:
    def change(trace: dict[str, Any]) -> None:
        trace["states"][number][name] = value

    return change


WRONG: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "another protocol's": (_without("controller"), "has no variable controller; it is of another protocol"),
    "no value of the kind": (_state(2, "controller", "yes"), 'state 2: controller: "yes" is no Bool'),
    "outside the sizes": (
        _state(1, "fenced", {"#map": [[{"#bigint": "9"}, True]]}),
        "state 1: fenced: '9' is no Broker; there are 0",
    ),
    "a cell is missing": (_state(1, "fenced", {"#map": []}), "state 1: fenced: fenced[0] has no value"),
    "a cell twice": (
        _state(1, "fenced", {"#map": [[{"#bigint": "0"}, True], [{"#bigint": "0"}, False]]}),
        "fenced[0] has two values",
    ),
    "no function": (_state(1, "fenced", [True]), "state 1: fenced: [true] is no #map"),
    "no state": (lambda trace: trace.update(states=[]), "the trace has no state"),
    "a loop to nowhere": (lambda trace: trace.update(loop=17), "loop 17 is no state of the trace, which has 6"),
    "sizes of another": (lambda trace: trace["#meta"].update(sizes="{}"), "the trace has no size of Broker"),
    "too many entities": (
        lambda trace: trace["#meta"].update(sizes=trace["#meta"]["sizes"].replace('"Broker": 1', '"Broker": 99999999')),
        "the trace has 99999999 of Broker, and 10,000 are read",
    ),
    "no such text": (lambda trace: trace["#meta"].update(sizes="["), "this is no trace in ITF (JSONDecodeError"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_no_trace_of_the_protocol_is_named(trace: tuple[Protocol, dict[str, Any]], what: str) -> None:
    """One sentence says in which state, of which variable, and what is wrong."""
    protocol, document = trace
    altered = json.loads(json.dumps(document))
    change, sentence = WRONG[what]
    change(altered)
    with pytest.raises(Refusal) as refused:
        run_of(altered, protocol, "kip343", "tiny")
    assert sentence in str(refused.value)


def test_a_step_that_no_row_makes_is_named_with_what_changes(trace: tuple[Protocol, dict[str, Any]]) -> None:
    """States of which one does not follow from the other: the cells that change are reported."""
    protocol, document = trace
    altered = bare(json.loads(json.dumps(document)))
    altered["states"][1:] = [{**altered["states"][0], "fenced": {"#map": [[{"#bigint": "0"}, True]]}}]
    with pytest.raises(Differs, match=r"no row leads from state 0 to state 1: fenced\[0\]: false → true"):
        run_of(altered, protocol, "kip343", "tiny")


def test_a_counterexample_travels(
    fencepost_says: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`explore --itf` writes the run that breaks a property; it replays, is a test, and refused under other tables."""
    monkeypatch.chdir(tmp_path)
    said = fencepost_says("explore", "kraft+J3", "--bound", "tiny", "--property", "P7", "--itf", "j3.itf.json")
    assert (said.code, said.out.splitlines()[-1]) == (1, "  j3.itf.json: a run of 4 rows, which ends with P7, as ITF")
    said = fencepost_says("explore", "kraft+J3", "--bound", "tiny", "--replay", "j3.itf.json")
    assert said.code == 0
    assert "at its end P7 is as the run says" in said.out
    assert fencepost_says("trace", "to-test", "j3.itf.json", "--to", "test_j3.py").code == 0
    assert "violates P7 of kraft" in Path("test_j3.py").read_text(encoding="utf-8")
    said = fencepost_says("explore", "kraft", "--bound", "tiny", "--replay", "j3.itf.json")
    assert said.code == 1
    assert "step 4 (CT3) differs: isr[0] is [0] after it, and the run says [0, 1]" in said.sentence
    said = fencepost_says("explore", "kraft+J3", "--bound", "tiny", "--itf", "j3.itf.json")
    assert (said.code, said.sentence) == (2, "fencepost: --itf j3.itf.json: is there already; name another file")


def test_a_run_without_end_travels_through_its_loop_once(
    fencepost_says: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run is replayed up to the state to which its loop returns."""
    monkeypatch.chdir(tmp_path)
    asked = ("explore", "kip343+two_answers_in_a_row", "--bound", "lossy")
    said = fencepost_says(*asked, "--property", "HI44", "--itf", "loop.itf.json")
    assert said.out.rstrip().endswith("as ITF; it returns to state 9 for ever")
    document = json.loads(Path("loop.itf.json").read_text(encoding="utf-8"))
    said = fencepost_says(*asked, "--replay", "loop.itf.json", "--json")
    assert (said.code, said.document["steps"]) == (0, len(document["states"]))


def test_what_breaks_nothing_writes_nothing(
    fencepost_says: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no property is violated the page says so, and there is no file."""
    monkeypatch.chdir(tmp_path)
    said = fencepost_says("explore", "kip46", "--bound", "tiny", "--property", "SI2", "--itf", "none.itf.json")
    assert (said.code, Path("none.itf.json").exists()) == (0, False)
    assert said.out.splitlines()[-1] == "  none.itf.json: is not written: no run breaks a property"


def test_tables_that_a_trace_names_are_run_where_the_command_line_names_them(
    fencepost_says: Callable[..., Any], tmp_path: Path
) -> None:
    """A trace is data: a file of tables in its `#meta` is not imported."""
    path = tmp_path / "evil.itf.json"
    path.write_text(
        json.dumps({"#meta": {"protocol": f"{tmp_path}/evil.py:P"}, "vars": [], "states": []}), encoding="utf-8"
    )
    (tmp_path / "evil.py").write_text("raise SystemExit(99)\n", encoding="utf-8")
    said = fencepost_says("trace", "to-test", path)
    assert said.code == 2
    assert "says that their code is to run" in said.sentence
