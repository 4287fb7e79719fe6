"""What every test needs: a skip where there is no Java, the marker of the quick tier, and the CPU time that it took."""

from __future__ import annotations

import gc
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from tests import quick

# Examples that are slow to draw say that the machine is busy: no test may fail of that.
hypothesis.settings.register_profile(
    "fencepost", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("fencepost")

# Whichever test starts Spark first in a process decides which Python its workers run.
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
# Sessions that tests build by themselves start as quickly as those that the command builds.
os.environ.setdefault("SPARK_SUBMIT_OPTS", "-XX:TieredStopAtLevel=1")

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
"""The programs any of which is the browser."""

NEEDS = {
    "tlc": ("java",),
    "spark": ("java",),
    "kafka": ("mvn",),
    "browser": BROWSERS,
    "spin": ("spin",),
    "cargo": ("cargo",),
}
"""The programs any of which tests with a marker need."""

BEGAN = pytest.StashKey[float]()
"""The CPU seconds of the process when a test began."""


def _found(program: str) -> bool:
    home = os.environ.get("JAVA_HOME")
    inside = shutil.which(program, path=str(Path(home, "bin"))) if home else None
    return bool(shutil.which(program) or inside)


def _cpu() -> float:
    """Return the CPU seconds of this process and of those that it started and that ended."""
    return sum(os.times()[:4])


@pytest.fixture(autouse=True)
def _tlc_of_few_states(request: pytest.FixtureRequest) -> None:
    """Have TLC compile little for the bounds of every run, of few states: it takes half of the CPU time so."""
    markers = {one.name for one in request.node.iter_markers()}
    if "tlc" in markers and markers.isdisjoint(("nightly", "exhaustive")):
        patch: pytest.MonkeyPatch = request.getfixturevalue("monkeypatch")
        patch.setenv("JAVA_TOOL_OPTIONS", f"{os.environ.get('JAVA_TOOL_OPTIONS', '')} -XX:TieredStopAtLevel=1".strip())


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that records what tests took."""
    parser.addoption(
        "--record-durations",
        action="store_true",
        help="write the CPU seconds of the tests that run into tests/durations.json, where they exceed the record",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Sum up what tests took, but in workers; hand files out in the order in which workers collect them."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Summed(), "fencepost-durations")
    # By default pytest-xdist begins with the files of the most tests, and ends with long files of few.
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


# First, as the selection by markers, which is this hook too, must see the marker of the tier.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the nightly and the quick tier, skip what needs a program that is not there, begin with the longest files.

    In continuous integration what needs Kafka's jars fails instead.
    """
    config.stash[quick.COLLECTED] = tuple(items)
    recorded = quick.read()
    missing = {marker: programs for marker, programs in NEEDS.items() if not any(map(_found, programs))}
    if os.environ.get("CI") == "true":
        missing.pop("kafka", None)
    for item in items:
        if (repeated := quick.repeated(item)) is not None:
            item.add_marker(pytest.mark.nightly(repeated))
        if quick.is_quick(item.nodeid, (one.name for one in item.iter_markers()), recorded):
            item.add_marker(pytest.mark.quick)
        for marker, programs in missing.items():
            if item.get_closest_marker(marker) is not None:
                needed = " or ".join(programs)
                item.add_marker(pytest.mark.skip(reason=f"needs {needed}, which is not on the PATH"))
    if hasattr(config, "workerinput"):
        run = [item.nodeid for item in items if not quick.left_out(one.name for one in item.iter_markers())]
        place = {file: number for number, file in enumerate(quick.longest_first(run, recorded))}
        items.sort(key=lambda item: place.get(quick.split(item.nodeid)[0], len(place)))


def pytest_collection_finish() -> None:
    """Have the garbage collection look no more at what is imported and collected, which stays to the end."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Take the time before any fixture is made."""
    item.stash[BEGAN] = _cpu()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Give the last report of a test, which goes from a worker to the main process, what the test took."""
    if call.when == "teardown" and BEGAN in item.stash:
        item.user_properties.append(("cpu_seconds", round(_cpu() - item.stash[BEGAN], 2)))
        item.user_properties.append(("tier", "quick" if item.get_closest_marker("quick") else "other"))
    yield


class Summed:
    """What the tests of a run took, in the process that sums it up."""

    def __init__(self) -> None:
        self.taken: dict[str, float] = {}
        self.tier: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what a test took."""
        said = dict(report.user_properties)
        if report.when == "teardown" and "cpu_seconds" in said:
            self.taken[report.nodeid] = float(str(said["cpu_seconds"]))
            if said["tier"] == "quick":
                self.tier.add(report.nodeid)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
        """Name the tests of the quick tier that took too long for it; record what tests took, if that is asked for."""
        long = sorted((self.taken[one], one) for one in self.tier if self.taken[one] > quick.NAMED)
        if long:
            terminalreporter.section("too long for the quick tier: mark them slow, or run them with --record-durations")
            for seconds, one in reversed(long):
                terminalreporter.write_line(f"{seconds:6.1f} CPU s {one}")
        if config.getoption("--record-durations"):
            quick.written(quick.merged(quick.read(), self.taken))
