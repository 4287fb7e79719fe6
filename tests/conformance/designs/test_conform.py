"""Traces of designs as files: what is checked is what was written; other files are refused in a sentence."""

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


@pytest.mark.representative("kip343", "kip46", "kip631-v2+failovers")
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


def test_a_step_that_no_row_is_about_leaves_a_trace_undecided(tmp_path: Path) -> None:
    """One step of an unknown name is enough: what it did was taken over, so nothing is said to conform."""
    header, steps = recorded("kip343", 1)
    path = tmp_path / "steps.ndjson"
    write_design_trace(path, header, [*steps[:-1], replace(steps[-1], name="Rest", parameters={}, answer="")])
    (log,) = conform_traces([str(path)]).logs
    assert log.verdict is Verdict.UNDECIDED
    assert log.as_json()["not_judged"] == {"Rest": 1}
    assert [one.message for one in log.doubts] == [
        f"No row of kip343 is about 1 of the {len(steps)} steps: what they do is not checked."
    ]


@pytest.mark.parametrize("design", DESIGNS)
def test_a_header_that_does_not_tell_every_cell_leaves_a_trace_undecided(design: str, tmp_path: Path) -> None:
    """A trace from which a variable was taken out, in header and steps, is not said to conform; the doubt names it."""
    header, steps = recorded(design, 1)
    gone = "isr"
    initial = [one for one in header.settings["initial"] if one[0] != gone]
    path = tmp_path / "steps.ndjson"
    write_design_trace(
        path,
        replace(header, settings={**header.settings, "initial": initial}),
        [replace(one, changed=tuple(cell for cell in one.changed if cell.variable != gone)) for one in steps[:3]],
    )
    (log,) = conform_traces([str(path)]).logs
    assert log.verdict is Verdict.UNDECIDED
    assert log.doubts[0].message.endswith(f"the header does not say how {gone} begin.")
    assert log.rows == {}


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
    "with a beginning that is none": (
        "t.ndjson", with_settings('"initial":[[', '"initial":[5,['), ":1: a cell of `initial` is none",
    ),
    "with a key that is none": (
        "t.ndjson", with_settings('["isr",[0]', '["isr",[[0]]'), ":1: a cell of `initial` is none",
    ),
}  # fmt: skip
"""Files that are no trace of a design: the name, how to write it, and what is said."""

UNDECIDED: dict[str, tuple[str, Callable[[Path], object], int, str]] = {
    "truncated": (
        "t.ndjson.gz",
        lambda path: path.write_bytes(gzip.compress("".join(lines()).encode(), mtime=0)[:-40]),
        40,
        "cannot be read as NDJSON",
    ),
    "that is no JSON": ("t.ndjson", lambda path: path.write_text(lines()[0] + "{\n"), 0, ":2: this line is no JSON"),
    "of another version": ("t.ndjson", with_line(v=2), 1, ":3: steps of version 2; this reads version 1"),
    "with a step without a name": ("t.ndjson", with_line(step=None), 1, ":3: this line is no step of a design"),
    "with a change that is none": ("t.ndjson", with_line(changed=[5]), 1, ":3: this line is no step of a design"),
    "with a key too many": (
        "t.ndjson", with_settings('["isr",[0]', '["isr",[0,1]'), 0, "isr[0, 1]: the tables have 1 keys there",
    ),
    "with a cell of another kind": (
        "t.ndjson", with_settings('["controller",[],false]', '["controller",[],7]'), 0, "7 is no ",
    ),
    "with a setting of another kind": (
        "t.ndjson", with_settings('"settings":{', '"settings":{"now":"soon",'), 0, "'soon' is no time",
    ),
    "without a setting": (
        "t.ndjson", with_settings('"controller_timeout":', '"patience":'), 0,
        "the header does not say how controller_timeout begin",
    ),
    "of another design": (
        "t.ndjson", with_settings('"kip343"', '"kip46"'), 0,
        "The settings do not fit the tables of kip46, so that no step is checked: the header does not say how ",
    ),
}  # fmt: skip
"""Traces that cannot be checked, or not to the end: the name, how to write it, how many steps are, what is said."""


@pytest.mark.parametrize("what", REFUSED)
def test_a_file_that_is_no_trace_is_refused(what: str, tmp_path: Path) -> None:
    """The refusal names the file, the line where there is one, and what is wrong with it."""
    name, write, part = REFUSED[what]
    write(tmp_path / name)
    with pytest.raises(TraceError) as refused:
        conform_traces([str(tmp_path / name)])
    assert str(refused.value).startswith(str(tmp_path / name))
    assert part in str(refused.value)


@pytest.mark.parametrize("what", UNDECIDED)
def test_a_trace_that_cannot_be_judged_is_undecided(what: str, tmp_path: Path) -> None:
    """Where the header does not fit, or a line cannot be read, the steps before are checked, and nothing conforms."""
    name, write, least, part = UNDECIDED[what]
    write(tmp_path / name)
    (log,) = conform_traces([str(tmp_path / name)]).logs
    assert log.verdict is Verdict.UNDECIDED
    assert part in log.doubts[0].message
    assert log.records >= least
    assert (log.records == 1) == (least == 1)


def test_what_is_found_before_a_trace_breaks_off_stands(tmp_path: Path) -> None:
    """A step that is no row is a violation, though a later line cannot be read."""
    found = lines()
    first = json.loads(found[1])
    found[1] = json.dumps({**first, "node": "controller-9" if first["node"][:3] != "con" else "broker-9"}) + "\n"
    (tmp_path / "t.ndjson").write_text("".join([*found, "{\n"]), encoding="utf-8")
    (log,) = conform_traces([str(tmp_path / "t.ndjson")]).logs
    assert log.verdict is Verdict.VIOLATES
    assert log.violations[0].offset == 2
    assert len(log.doubts) == 1
