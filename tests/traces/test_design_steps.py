"""Traces of designs as text: reading returns what was written, to the byte, and damage is reported."""

import gzip
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from fencepost.traces.design_steps import (
    Changed,
    DesignStep,
    Header,
    header_line,
    is_design_trace,
    read_design_trace,
    step_line,
    write_design_trace,
)
from fencepost.traces.errors import TraceError
from tests.cases import examples

NAMES = some.text(min_size=1, max_size=8)
NUMBERS = some.integers(-(2**63), 2**63)
VALUES = some.none() | some.booleans() | NUMBERS | some.text(max_size=8) | some.lists(NUMBERS, max_size=4)
CHANGES = some.builds(Changed, NAMES, some.lists(NUMBERS, max_size=3).map(tuple), VALUES)
STEPS = some.builds(
    DesignStep,
    time_ms=NUMBERS,
    node=NAMES,
    name=NAMES,
    parameters=some.dictionaries(NAMES, VALUES, max_size=3),
    answer=some.text(max_size=12),
    changed=some.lists(CHANGES, max_size=4).map(tuple),
)
HEADERS = some.builds(
    Header, design=NAMES, settings=some.dictionaries(NAMES.filter(lambda name: name != "initial"), VALUES, max_size=3)
)

HEADER = Header(design="kip343", settings={"broker_timeout": 10, "initial": [["isr", [0], [1, 2]]]})
STEP = DesignStep(
    time_ms=7,
    node="controller-1",
    name="Heartbeat",
    parameters={"b": 1, "valid": True},
    answer="NONE Active",
    changed=(Changed("controller", (), True), Changed("isr", (0,), [1])),
)


@given(header=HEADERS, steps=some.lists(STEPS, max_size=5), ending=some.sampled_from(["", ".gz"]))
@settings(max_examples=examples(60), deadline=None)
def test_a_trace_is_read_back_and_written_to_the_byte(header: Header, steps: list[DesignStep], ending: str) -> None:
    """Whatever a step holds, it is read back as it was, and the same steps give the same bytes, gzipped or not."""
    with TemporaryDirectory() as directory:
        first, second = Path(directory) / f"a.ndjson{ending}", Path(directory) / f"b.ndjson{ending}"
        write_design_trace(first, header, steps)
        found, rest = read_design_trace(first)
        kept = list(rest)
        assert (found, kept) == (header, steps)
        write_design_trace(second, found, kept)
        assert first.read_bytes() == second.read_bytes()
        assert is_design_trace(first)


def test_a_line_is_as_it_was() -> None:
    """The text of a header and of a step; what is empty is left out."""
    assert header_line(HEADER) == (
        '{"v":1,"design":"kip343","settings":{"broker_timeout":10,"initial":[["isr",[0],[1,2]]]}}\n'
    )
    assert step_line(STEP) == (
        '{"v":1,"t_ms":7,"node":"controller-1","step":"Heartbeat","parameters":{"b":1,"valid":true},'
        '"answer":"NONE Active","changed":[["controller",[],true],["isr",[0],[1]]]}\n'
    )
    assert step_line(DesignStep(time_ms=0, node="n", name="Tick")) == '{"v":1,"t_ms":0,"node":"n","step":"Tick"}\n'


@pytest.mark.parametrize(
    "altered",
    [
        {"v": 2},
        {"t_ms": "7"},
        {"t_ms": True},
        {"node": 1},
        {"step": None},
        {"parameters": []},
        {"answer": 5},
        {"changed": 5},
        {"changed": [5]},
        {"changed": [["isr", [0]]]},
        {"changed": [[1, [0], 1]]},
        {"changed": [["isr", ["0"], 1]]},
        {"changed": [["isr", 0, 1]]},
    ],
    ids=json.dumps,
)
def test_a_line_that_is_no_step_is_told_with_its_place(tmp_path: Path, altered: dict[str, Any]) -> None:
    """A column of another kind is refused with file and line, when the line is read."""
    path = tmp_path / "t.ndjson"
    line = json.dumps({**json.loads(step_line(STEP)), **altered})
    path.write_text(header_line(HEADER) + step_line(STEP) + line + "\n", encoding="utf-8")
    _, steps = read_design_trace(path)
    assert next(steps) == STEP
    with pytest.raises(TraceError, match=r"t\.ndjson:3: "):
        next(steps)


@pytest.mark.parametrize("settings", [None, [], {"initial": 7}, {"initial": [5]}, {"initial": [["isr", [[0]], 1]]}])
def test_a_header_that_is_none_is_told(tmp_path: Path, settings: Any) -> None:
    """Settings that are no object, or cells at the beginning that are none, are refused with file and line."""
    path = tmp_path / "t.ndjson"
    path.write_text(json.dumps({"v": 1, "design": "kip343", "settings": settings}) + "\n", encoding="utf-8")
    with pytest.raises(TraceError, match=r"t\.ndjson:1: "):
        read_design_trace(path)


def test_a_trace_without_its_header_is_still_known_for_one(tmp_path: Path) -> None:
    """So that the refusal can say what is missing; other files are not taken for traces of designs."""
    path = tmp_path / "t.ndjson"
    path.write_text(step_line(STEP), encoding="utf-8")
    assert is_design_trace(path)
    with pytest.raises(TraceError, match="no header of a design's trace"):
        read_design_trace(path)
    for text in ("", "text\n", "[]\n", '{"v":1,"t_ms":0,"node":3,"step":"Elect"}\n', '{"request":"Heartbeat"}\n'):
        path.write_text(text, encoding="utf-8")
        assert not is_design_trace(path)
    assert not is_design_trace(tmp_path / "nothing")


def test_a_gzipped_trace_that_ends_early_is_told(tmp_path: Path) -> None:
    """A truncated gzip is refused, whenever its end is reached."""
    path = tmp_path / "t.ndjson.gz"
    whole = gzip.compress((header_line(HEADER) + step_line(STEP) * 20).encode(), mtime=0)
    path.write_bytes(whole[:-12])
    with pytest.raises(TraceError, match="cannot be read as NDJSON"):
        list(read_design_trace(path)[1])
