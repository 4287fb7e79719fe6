"""What works where a system has no `fork`, `resource` and `fcntl`, as Windows: they are taken away here."""

import json
import subprocess
import sys
from pathlib import Path

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

import contextlib, io, json
from fencepost.checkers.cli.main import main

said = []
for command in sys.argv[1:]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(command.split())
    said.append((code, out.getvalue(), err.getvalue()))
print(json.dumps(said))
"""
"""Runs command lines one after the other, and prints the code, the output and the errors of each."""
LOG = "traces/recorded/first-boot"


COMMANDS = (
    (f"conform {LOG} {LOG} --jobs 1", 0, "conforms"),
    (f"story {LOG} --no-rows", 0, "is registered"),
    (f"health {LOG} --no-findings", 1, "12 offline"),
    ("prove lease", 0, "proved for any number of entities"),
    ("explore kip46 --bound tiny", 0, "closed"),
    ("explore kip46 --bound tiny --disk {tmp}/states", 2, "cannot lock a folder"),
    ("prove kip46 --second-solver", 3, "cannot fork processes"),
    ("mutate kip46 --sample 1", 2, "cannot fork processes"),
    ("bench speed", 2, "run it on Linux or macOS"),
)
"""Commands, the code of each, and what it says."""


def test_what_works_without_fork(tmp_path: Path) -> None:
    """Logs are checked, protocols proved and explored in one process; what cannot be done is one sentence."""
    lines = [command.format(tmp=tmp_path) for command, _, _ in COMMANDS]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, *lines], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    for (command, code, says), (ended, out, err) in zip(COMMANDS, said, strict=True):
        assert (ended, says in " ".join((out + err).split())) == (code, True), f"{command}: {out}{err}"
