"""The quick tier: what keeps a test out of it, and that its record is of tests that there are."""

from __future__ import annotations

import ast

import pytest

from tests import quick

ROOT = quick.RECORDED.parent.parent
CASE = "tests/a/test_b.py::test_c[1]"


@pytest.mark.parametrize("marker", sorted(quick.APART))
def test_a_marker_keeps_a_test_out(marker: str) -> None:
    """What needs Java or a browser, or is marked slow, nightly or exhaustive, is out; another marker says nothing."""
    assert quick.is_quick(CASE, ["parametrize"], {})
    assert not quick.is_quick(CASE, ["parametrize", marker], {})


def test_a_recorded_function_is_out_with_all_its_cases() -> None:
    """A record above the limit keeps every case of the function out, and no function of another name or file."""
    recorded = {"tests/a/test_b.py": {"test_c": quick.QUICK + 0.1, "TestD::test_c": quick.QUICK}}
    assert not quick.is_quick(CASE, (), recorded)
    assert not quick.is_quick("tests/a/test_b.py::test_c", (), recorded)
    assert quick.is_quick("tests/a/test_b.py::test_c2", (), recorded)
    assert quick.is_quick("tests/a/test_b.py::TestD::test_c[1]", (), recorded)
    assert quick.is_quick("tests/test_b.py::test_c", (), recorded)


def test_a_record_keeps_the_slowest_case_and_what_is_long_only() -> None:
    """Of several cases and runs the largest figure stays; what is within the limit is not written."""
    first = quick.merged({}, {CASE: 3.14, "tests/a/test_b.py::test_c[2]": 1.0, "tests/a/test_b.py::test_e": 0.1})
    assert first == {"tests/a/test_b.py": {"test_c": 3.1}}
    assert quick.merged(first, {CASE: 0.2}) == first
    assert quick.merged(first, {CASE: 5.0}) == {"tests/a/test_b.py": {"test_c": 5.0}}


def test_files_are_sorted_by_what_their_cases_take() -> None:
    """Each case counts as the slowest of its function; what is not recorded comes last, in the order given."""
    recorded = {"tests/a/test_b.py": {"test_c": 3.0, "test_e": 2.0}, "tests/a/test_f.py": {"test_c": 7.0}}
    nodeids = ["tests/test_z.py::test_c", "tests/test_b.py::test_c", "tests/a/test_f.py::test_c[3]"]
    nodeids += [CASE, "tests/a/test_b.py::test_c[2]", "tests/a/test_b.py::test_e"]
    assert quick.longest_first(nodeids, recorded) == [
        "tests/a/test_b.py", "tests/a/test_f.py", "tests/test_z.py", "tests/test_b.py"
    ]  # fmt: skip


def test_files_are_handed_out_as_sorted(request: pytest.FixtureRequest) -> None:
    """Where pytest-xdist is used it keeps the order of the files, whatever number of tests each has."""
    assert not request.config.getoption("loadscopereorder", False)


def test_recorded_functions_exist() -> None:
    """Every recorded name is that of a test in its file, so that a test that is renamed is recorded anew."""
    for file, names in quick.read().items():
        tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
        there = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        # Hypothesis makes the test of a state machine: `TestTimeline = Timeline.TestCase`.
        targets = (one for node in tree.body if isinstance(node, ast.Assign) for one in node.targets)
        made = {f"{one.id}::runTest" for one in targets if isinstance(one, ast.Name)}
        assert {name for name in names if name not in made and name.rsplit("::", 1)[-1] not in there} == set(), file


def test_the_marker_is_set_where_a_test_is_in_the_tier(request: pytest.FixtureRequest) -> None:
    """Each collected test has the marker `quick` exactly if its markers and the record say so."""
    recorded = quick.read()
    for item in request.session.items:
        names = [one.name for one in item.iter_markers()]
        assert ("quick" in names) == quick.is_quick(item.nodeid, names, recorded), item.nodeid
