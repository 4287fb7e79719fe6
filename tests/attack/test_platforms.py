"""What works where a system has no `fork`, `resource` and `fcntl`, as Windows: they are taken away here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

WITHOUT = """
import importlib.util, multiprocessing, os, sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name in ("resource", "fcntl"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

def find_spec(name, package=None, found=importlib.util.find_spec):
    return None if name in ("resource", "fcntl") else found(name, package)

sys.meta_path.insert(0, Missing())
importlib.util.find_spec = find_spec
multiprocessing.get_all_start_methods = lambda: ["spawn"]
del os.fork
from fencepost.checkers.cli.main import run
sys.exit(run())
"""
LOG = "traces/recorded/first-boot"


@pytest.mark.parametrize(
    ("command", "code", "says"),
    [
        (f"conform {LOG} {LOG} --jobs 1", 0, "conforms"),
        (f"story {LOG} --no-rows", 0, "is registered"),
        (f"health {LOG} --no-findings", 1, "12 offline"),
        ("prove lease", 0, "proved for any number of entities"),
        ("explore kip46 --bound tiny", 0, "closed"),
        ("explore kip46 --bound tiny --disk {tmp}/states", 2, "cannot lock a folder"),
        ("prove kip46 --second-solver", 3, "cannot fork processes"),
        ("mutate kip46 --sample 1", 2, "cannot fork processes"),
        ("bench speed", 2, "run it on Linux or macOS"),
    ],
)
def test_what_works_without_fork(command: str, code: int, says: str, tmp_path: Path) -> None:
    """Logs are checked, protocols proved and explored in one process; what cannot be done is one sentence."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, *command.format(tmp=tmp_path).split()],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, says in " ".join((done.stdout + done.stderr).split())) == (code, True), done.stderr
