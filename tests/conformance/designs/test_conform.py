"""Traces of designs as files: what is judged is what was written, and files that are none are refused in a sentence."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from fencepost.checkers.cli.simulate_design import DESIGNS
from fencepost.checkers.conformance.designs import conform_traces
from fencepost.checkers.verdicts import Verdict
from fencepost.traces.design_steps import header_line, read_design_trace, step_line, write_design_trace
from fencepost.traces.errors import TraceError

from .recorded import judged, recorded, whole


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("name", ["steps.ndjson", "steps.ndjson.gz"])
def test_a_trace_round_trips_to_the_byte(design: str, name: str, tmp_path: Path) -> None:
    """Header and steps of a run are read back as they were, and written again they are the same bytes."""
    header, steps = recorded(design, 1)
    write_design_trace(tmp_path / name, header, steps)
    again, found = read_design_trace(tmp_path / name)
    kept = list(found)
    assert (again.design, len(kept)) == (design, len(steps))
    write_design_trace(tmp_path / f"again-{name}", again, kept)
    assert (tmp_path / name).read_bytes() == (tmp_path / f"again-{name}").read_bytes()


@pytest.mark.parametrize("design", DESIGNS)
def test_a_file_is_judged_as_the_run_was(design: str, tmp_path: Path) -> None:
    """The rows, the changes compared and what was declared are those of the run itself."""
    header, steps = recorded(design, 1)
    write_design_trace(tmp_path / "steps.ndjson", header, steps)
    (log,) = conform_traces([str(tmp_path / "steps.ndjson")]).logs
    tally = judged(header, steps).tally
    found = log.as_json()
    assert (found["verdict"], found["records"]) == ("conforms", len(steps))
    assert found["rows"] == dict(tally.rows)
    never = {row.id for row in whole(design).rows if row.event.name != "TimePasses"} - set(found["rows"])
    assert set(log.rows_never_seen) == never
    assert (found["cells"], found["declared"], found["idle"]) == (
        dict(tally.cells), dict(tally.declared), dict(tally.idle),
    )  # fmt: skip


def test_a_trace_of_another_design_does_not_conform(tmp_path: Path) -> None:
    """Where the tables are silent about most steps nothing is said to conform: the trace is undecided, and why."""
    header, steps = recorded("kip343", 1)
    path = tmp_path / "steps.ndjson"
    write_design_trace(path, replace(header, design="kip46"), steps)
    (log,) = conform_traces([str(path)]).logs
    assert log.verdict is Verdict.UNDECIDED
    assert sum(log.as_json()["not_judged"].values()) > len(steps) / 2
    assert f"of the {len(steps)} steps: too many to say that it conforms" in log.doubts[0].message


def lines() -> list[str]:
    """Return the lines of a short trace."""
    header, steps = recorded("kip343", 1)
    return [header_line(header), *map(step_line, steps[:50])]


def without_header(path: Path) -> None:
    """Write a trace that has lost its first line."""
    path.write_text("".join(lines()[1:]), encoding="utf-8")


def with_settings(old: str, new: str) -> Callable[[Path], None]:
    """Return how to write a trace with another text in its header."""

    def write(path: Path) -> None:
        first, *others = lines()
        assert old in first
        path.write_text("".join([first.replace(old, new), *others]), encoding="utf-8")

    return write


def with_line(**columns: object) -> Callable[[Path], None]:
    """Return how to write a trace whose third line has other columns."""

    def write(path: Path) -> None:
        found = lines()
        found[2] = json.dumps({**json.loads(found[2]), **columns}) + "\n"
        path.write_text("".join(found), encoding="utf-8")

    return write


REFUSED: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "without a header": ("t.ndjson", without_header, ":1: no header of a design's trace"),
    "of an unknown design": ("t.ndjson", with_settings("kip343", "kip999"), ":1: kip999: no protocol has this name"),
    "empty": ("t.ndjson", lambda path: path.write_bytes(b""), "an empty file"),
    "truncated": (
        "t.ndjson.gz",
        lambda path: path.write_bytes(gzip.compress("".join(lines()).encode(), mtime=0)[:-40]),
        "cannot be read as NDJSON",
    ),
    "that is no JSON": ("t.ndjson", lambda path: path.write_text(lines()[0] + "{\n"), ":2: this line is no JSON"),
    "of another version": ("t.ndjson", with_line(v=2), ":3: steps of version 2; this reads version 1"),
    "with a step without a name": ("t.ndjson", with_line(step=None), ":3: this line is no step of a design"),
    "with a change that is none": ("t.ndjson", with_line(changed=[5]), ":3: this line is no step of a design"),
    "with a beginning that is none": (
        "t.ndjson", with_settings('"initial":[[', '"initial":[5,['), ":1: a cell of `initial` is none",
    ),
    "with a key that is none": (
        "t.ndjson", with_settings('["isr",[0]', '["isr",[[0]]'), ":1: a cell of `initial` is none",
    ),
    "with a key too many": (
        "t.ndjson", with_settings('["isr",[0]', '["isr",[0,1]'),
        ":1: the settings do not fit the tables of kip343: isr[0, 1]: the tables have 1 keys there",
    ),
    "with a cell of another kind": (
        "t.ndjson", with_settings('["controller",[],false]', '["controller",[],7]'),
        ":1: the settings do not fit the tables of kip343: 7 is no ",
    ),
    "with a setting of another kind": (
        "t.ndjson", with_settings('"settings":{', '"settings":{"now":"soon",'),
        ":1: the settings do not fit the tables of kip343: 'soon' is no time",
    ),
}  # fmt: skip
"""Files that are no trace of a design: the name, how to write it, and what is said."""


@pytest.mark.parametrize("what", REFUSED)
def test_a_file_that_is_no_trace_is_refused(what: str, tmp_path: Path) -> None:
    """The refusal names the file, the line where there is one, and what is wrong with it."""
    name, write, part = REFUSED[what]
    write(tmp_path / name)
    with pytest.raises(TraceError) as refused:
        conform_traces([str(tmp_path / name)])
    assert str(refused.value).startswith(str(tmp_path / name))
    assert part in str(refused.value)
