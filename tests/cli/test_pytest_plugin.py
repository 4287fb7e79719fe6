"""The plugin for pytest: what the ini file names are test items, and nothing else is."""

import subprocess
import sys
import tomllib
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from fencepost.checkers.skeletons import of_protocol

ROOT = Path(__file__).resolve().parents[2]
PLUGIN = "fencepost.checkers.cli.pytest_plugin"

HEADER = '{"v":1,"design":"group","settings":{"initial":[["joined",[1],false],["epoch",[1],0],["last",[],0]]}}\n'
JOINED = (
    '{"v":1,"t_ms":1,"node":"a","step":"Join","parameters":{"m":1},"answer":"OK",'
    '"changed":[["joined",[1],true],["epoch",[1],1],["last",[],1]]}\n'
)
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """Return a folder with the skeleton of a protocol, a trace of it, and one that is none of its runs."""
    (tmp_path / "tables").mkdir()
    (tmp_path / "runs").mkdir()
    (tmp_path / "tables" / "group.py").write_text(of_protocol("group").files["group.py"], "utf-8")
    (tmp_path / "runs" / "good.ndjson").write_text(HEADER + JOINED, "utf-8")
    (tmp_path / "runs" / "bad.ndjson").write_text(HEADER + JOINED.replace('"epoch",[1],1', '"epoch",[1],2'), "utf-8")
    return tmp_path


@pytest.fixture
def pytest_says(here: Path) -> Run:
    """Return a function that runs pytest in the folder with an ini file, in a process of its own."""
    # Where the package was installed before the plugin was there, it is loaded by its name.
    named = [] if any(one.value == PLUGIN for one in entry_points(group="pytest11")) else ["-p", PLUGIN]

    def run(ini: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        (here / "pytest.ini").write_text(f"[pytest]\n{ini}", "utf-8")
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", *named, *arguments],
            cwd=here, capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip

    return run


def items(done: subprocess.CompletedProcess[str]) -> list[str]:
    """Return the ids of what pytest collected."""
    return [line for line in done.stdout.splitlines() if "::" in line]


@pytest.mark.slow
def test_nothing_is_collected_unless_the_ini_file_names_it(pytest_says: Run) -> None:
    """Without settings there is no item, and no engine, no command line and no table is imported."""
    done = pytest_says("", "--collect-only", "-q")
    assert (items(done), done.returncode) == ([], 5), done.stdout
    script = (
        f"import sys, {PLUGIN}\n"
        "print([one for one in sys.modules if one.startswith(('z3', 'numpy', 'typer', 'rich', 'fencepost.model'))])"
    )
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert loaded.stdout == "[]\n"


@pytest.mark.slow
def test_what_the_ini_file_names_is_collected(pytest_says: Run) -> None:
    """A protocol has an item for its hygiene, its proof and each bound; a log has one."""
    ini = (
        "fencepost_protocols =\n    tables/group.py:GROUP\nfencepost_logs =\n    runs/g*.ndjson tables/group.py:GROUP\n"
    )
    protocol = [
        "tables/group.py::GROUP::hygiene",
        "tables/group.py::GROUP::prove",
        "tables/group.py::GROUP::explore[tiny]",
        "tables/group.py::GROUP::explore[small]",
    ]
    with_tlc = items(pytest_says(f"{ini}fencepost_tlc = true\n", "--collect-only", "-q"))
    assert with_tlc == ["runs/good.ndjson::conform", *protocol, "tables/group.py::GROUP::tlc[tiny]"]
    assert items(pytest_says(ini, "--collect-only", "-q", "tables/group.py")) == protocol


@pytest.mark.slow
def test_what_is_as_declared_passes(here: Path, pytest_says: Run) -> None:
    """The skeleton passes, and so does its trace.

    A directory with a metadata log is one item, checked with the tables of KRaft.
    """
    (here / "runs" / "first-boot").symlink_to(ROOT / "traces" / "recorded" / "first-boot")
    ini = (
        "fencepost_protocols =\n    tables/group.py:GROUP\n"
        "fencepost_logs =\n    runs/g*.ndjson tables/group.py:GROUP\n    runs/first-boot\n"
    )
    done = pytest_says(ini, "-v")
    assert done.returncode == 0, done.stdout
    assert "6 passed" in done.stdout
    assert "runs/first-boot::conform PASSED" in done.stdout, done.stdout


@pytest.mark.slow
def test_a_failure_is_what_the_command_prints(here: Path, pytest_says: Run) -> None:
    """A gap fails hygiene alone, a property both its proof and each bound, with the run; a log names the step."""
    file = here / "tables" / "group.py"
    text = file.read_text("utf-8").replace('    leave("L1", ~joined[m],   say=Answer.UNKNOWN),\n', "")
    text = text.replace('leave("L2", e < epoch[m],', 'leave("L2", ~joined[m],').replace(
        '"L3", TRUE', '"L3", joined[m] & (e > 0)'
    )
    file.write_text(text, "utf-8")
    ini = (
        "fencepost_protocols =\n    tables/group.py:GROUP\nfencepost_logs =\n    runs/*.ndjson tables/group.py:GROUP\n"
    )
    done = pytest_says(ini, "-q")
    assert "5 failed, 1 passed" in done.stdout, done.stdout
    assert "gap in table departures: violated: no row of Leave applies" in done.stdout
    assert "CURRENT is violated, shortest trace of 3 rows, the last by " in done.stdout
    assert "  3. L3 Leave(m=" in done.stdout
    assert "repeat it with: fencepost explore tables/group.py:GROUP --bound tiny" in done.stdout
    assert "unexplained at bad.ndjson:2" in done.stdout
    assert "Traceback" not in done.stdout


@pytest.mark.representative(
    "fencepost_protocols = kip46-kip46: name a file and a protocol in it, as in tables/lock.py:LOCK"
)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("ini", "said"),
    [
        ("fencepost_protocols = kip46", "kip46: name a file and a protocol in it, as in tables/lock.py:LOCK"),
        ("fencepost_protocols = other.py:P", "other.py: there is no such file below"),
        ("fencepost_logs = recordings/nosuch", "fencepost_logs: recordings/nosuch: there is no such log below"),
        ("fencepost_logs = nosuch/*.ndjson", "fencepost_logs: nosuch/*.ndjson: there is no such log below"),
        ("fencepost_logs = /runs/g1.ndjson", "fencepost_logs: /runs/g1.ndjson: give a path relative to"),
        ("fencepost_logs = runs/*.ndjson P Q", "a line has a pattern and at most one protocol"),
        ("fencepost_protocols = tables/group.py:GROOP", "no protocol is called GROOP; did you mean"),
    ],
)
def test_what_is_wrong_in_the_ini_file_is_told(pytest_says: Run, ini: str, said: str) -> None:
    """A line that means nothing ends the run with a sentence, and is not passed over."""
    done = pytest_says(f"{ini}\n", "-q")
    assert done.returncode in (2, 4)
    assert said in done.stdout + done.stderr


def test_the_package_declares_the_plugin() -> None:
    """An installation registers the module with pytest, under the name by which it can be loaded without one."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"]["pytest11"]
    assert declared == {PLUGIN: PLUGIN}
