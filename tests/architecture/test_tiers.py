"""The tiers: a nightly test repeats one of `make test`, and every folder of tests has a budget."""

import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

from fencepost.model.registry import FAMILIES
from tests import conftest, tiers
from tests.cases import each

CHECK = "fencepost check "
"""What a nightly test names whose claim `fencepost check` proves of a protocol, which CI runs beside `make test`."""

CASE = "tests/a/test_b.py::test_c[1]"


@pytest.fixture
def collected(request: pytest.FixtureRequest) -> list[pytest.Item]:
    """Return the tests of all files that are collected whole, those too that the markers leave out."""
    parts = {Path(one.partition("::")[0]).name for one in request.config.args if "::" in one}
    return [item for item in request.config.stash[tiers.COLLECTED] if item.path.name not in parts]


def _function(nodeid: str) -> str:
    return "::".join(tiers.split(nodeid))


def _run(collected: list[pytest.Item]) -> set[str]:
    """Return the node ids of what `make test` runs."""
    return {item.nodeid for item in collected if not tiers.left_out(one.name for one in item.iter_markers())}


def _named(item: pytest.Item) -> Iterator[str]:
    """Yield the node ids that a nightly test repeats: of the same file where a marker names none.

    What `fencepost check` proves in every run is no test.
    """
    for marker in item.iter_markers("nightly"):
        [name] = marker.args
        if not name.startswith(CHECK):
            yield name if "::" in name else f"{tiers.split(item.nodeid)[0]}::{name}"


def test_representative_cases_are_collected(collected: list[pytest.Item]) -> None:
    """A case that a test names as representative is one of its cases, and has no marker that leaves it out."""
    named = {
        f"{_function(item.nodeid)}[{case}]"
        for item in collected
        for marker in item.iter_markers("representative")
        for case in marker.args
    }
    assert sorted(named - _run(collected)) == []


def test_each_nightly_test_repeats_one_that_runs(collected: list[pytest.Item]) -> None:
    """The claim of a nightly test is that of a test which is collected and which no marker leaves out."""
    run = _run(collected)
    run |= {_function(one) for one in run}
    files = {tiers.split(item.nodeid)[0] for item in collected}
    missing = {
        f"{item.nodeid}: {named}"
        for item in collected
        for named in _named(item)
        if named not in run and tiers.split(named)[0] in files
    }
    assert sorted(missing) == []


def test_what_a_check_repeats_is_proved_by_it_in_every_run(collected: list[pytest.Item]) -> None:
    """A nightly test that names `fencepost check` names a protocol that it proves, and CI runs the check of all."""
    named = {name for item in collected for marker in item.iter_markers("nightly") for name in marker.args}
    asked = {name.removeprefix(CHECK) for name in named if name.startswith(CHECK)}
    assert {name for name in asked if name not in FAMILIES or FAMILIES[name].explored_only} == set()
    root = tiers.BUDGETS.parents[1]
    assert "\nmake run" in (root / ".ci" / "run").read_text(encoding="utf-8")
    assert "\nrun: $(STAMP)\n\t$(BIN)/fencepost check\n" in (root / "Makefile").read_text(encoding="utf-8")


def test_every_folder_has_a_budget() -> None:
    """Each folder of tests has a budget, and no budget is of a folder that is not there."""
    folders = {path.relative_to(tiers.BUDGETS.parent).parts[0] for path in tiers.BUDGETS.parent.rglob("test_*.py")}
    assert set(tiers.budgets()) == folders | {"collection"}


def test_the_budgets_are_compared_where_make_test_runs(request: pytest.FixtureRequest) -> None:
    """The budgets are those of the selection of markers that `pyproject.toml` has."""
    assert f"-m '{conftest.MARKERS}'" in " ".join(map(str, request.config.getini("addopts"))) or (
        conftest.MARKERS in request.config.getini("addopts")
    )


def test_a_folder_over_its_budget_is_found() -> None:
    """The tests of a folder are summed up, however deep they lie; more than the budget is found."""
    taken = tiers.by_folder({CASE: 3.0, "tests/a/d/test_e.py::test_f": 2.0, "tests/g/test_h.py::test_i": 1.0})
    assert taken == {"a": 5.0, "g": 1.0}
    assert tiers.exceeded(taken, {"a": 4.0, "g": 1.0}) == {"a": 5.0}
    assert tiers.exceeded(taken, {"a": 5.0}) == {"g": 1.0}


def test_files_of_tests_that_take_seconds_come_first() -> None:
    """Files that fork come first, then those with more tests that are slow or start Java; others keep their order."""
    tests = [("tests/test_z.py::test_c", ()), ("tests/test_b.py::test_c", ("parametrize",)), (CASE, ("tlc",))]
    tests += [("tests/test_f.py::test_c[2]", ("slow",)), ("tests/test_f.py::test_e", ("spark",))]
    tests += [("tests/proof/test_g.py::test_c", ()), ("tests/proof/test_h.py::test_c", ("slow",))]
    forking, others = ["tests/proof/test_h.py", "tests/proof/test_g.py"], ["tests/test_z.py", "tests/test_b.py"]
    assert tiers.longest_first(tests) == [*forking, "tests/test_f.py", "tests/a/test_b.py", *others]


def test_files_are_handed_out_as_sorted(request: pytest.FixtureRequest) -> None:
    """Where pytest-xdist is used it keeps the order of the files, whatever number of tests each has."""
    assert not request.config.getoption("loadscopereorder", False)


def test_each_failing_case_is_listed() -> None:
    """A test of many cases runs all of them, names those that fail, and asks for its fixtures alone."""
    ran = []

    @each(("first", "second"), [(1, 1), (1, 2), (3, 4)])
    def compared(first: int, second: int, tmp_path: Path) -> None:
        ran.append(first)
        assert first == second

    assert list(inspect.signature(compared).parameters) == ["tmp_path"]
    with pytest.raises(BaseExceptionGroup, match="2 of 3 cases") as raised:
        compared(tmp_path=Path())
    assert ran == [1, 1, 3]
    assert ["".join(one.__notes__) for one in raised.value.exceptions] == [
        "the case: {'first': 1, 'second': 2}",
        "the case: {'first': 3, 'second': 4}",
    ]

    @each("word", ["a"], ids=str.upper)
    def refused(word: str) -> None:
        with pytest.raises(ValueError, match=word):
            pass

    with pytest.raises(BaseExceptionGroup) as raised:
        refused()
    assert raised.value.exceptions[0].__notes__ == ["the case: A"]
    with pytest.raises(TypeError, match="plain values"):
        each("word", [pytest.param("a", id="b")])
