"""One import name: the package is `fencepost`, its folders are no packages of their own, and tests are not in it."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("model", "reference", "traces", "checkers")


@pytest.mark.parametrize("name", [*ROOMS, "model.language", "src.fencepost"])
def test_a_bare_name_is_refused_in_one_sentence(name: str) -> None:
    """From the repository's root a package cannot be imported a second time without `fencepost` before its name."""
    done = subprocess.run(
        [sys.executable, "-c", f"import {name}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ImportError: this package is fencepost")
    assert f"write `import fencepost{'' if name.startswith('src') else '.' + name.split('.')[0]}`" in last


def test_every_link_of_the_package_is_a_folder_of_the_root() -> None:
    """What src/fencepost has beside its own files are links to the folders of the same name at the root."""
    links = {path.name: path.resolve() for path in (ROOT / "src" / "fencepost").iterdir() if path.is_symlink()}
    assert links == {name: ROOT / name for name in (*ROOMS, "spec")}


def test_tests_are_not_in_the_package() -> None:
    """The package has no tests, under either name."""
    done = subprocess.run(
        [sys.executable, "-c", "import fencepost.tests"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "No module named 'fencepost.tests'" in done.stderr
