"""What is installed: every version is locked with its hashes, within the bounds of pyproject.toml, at no address."""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ("requirements.lock", "requirements-build.lock")
TEXT_OF_ENGINES = ("z3-solver", "llvmlite", "pyarrow", "pyspark", "typer")
"""Libraries whose own text, resources or names the package relies on: each has an upper bound."""


def locked(name: str) -> dict[str, tuple[str, int]]:
    """Return the version and the number of hashes of each package of a lock file."""
    found: dict[str, tuple[str, int]] = {}
    for entry in re.split(r"\n(?=\S)", (ROOT / name).read_text(encoding="utf-8")):
        requirement = re.match(r"([\w.-]+)==([\w.]+)", entry)
        assert requirement is not None, f"{name}: not one version: {entry.splitlines()[0]}"
        assert requirement[1] not in found, f"{name}: {requirement[1]} has two versions"
        found[requirement[1]] = requirement[2], len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", entry))
    return found


def declared() -> Iterator[Requirement]:
    """Yield what pyproject.toml requires, extras included."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for text in (
        *project["dependencies"],
        *(one for extra in project["optional-dependencies"].values() for one in extra),
    ):
        if (requirement := Requirement(text)).name != "fencepost":
            yield requirement


def test_every_version_is_locked_with_its_hashes() -> None:
    """Each entry of a lock file is one version of one package with a hash of each file that there is of it."""
    for name in LOCKS:
        assert {package: count for package, (_, count) in locked(name).items() if count == 0} == {}


def test_no_lock_names_an_address() -> None:
    """A lock file says versions and hashes, and no place to get them from."""
    for name in LOCKS:
        assert re.findall(r"(?i)https?://|index-url|find-links| @ ", (ROOT / name).read_text(encoding="utf-8")) == []


def test_the_lock_has_what_is_declared() -> None:
    """Each requirement of pyproject.toml is locked at a version within its bounds; setuptools once."""
    versions = {name: one for name, (one, _) in locked("requirements.lock").items()}
    outside = [
        str(one) for one in declared() if not one.specifier.contains(versions.get(canonicalize_name(one.name), "0"))
    ]
    assert outside == []
    assert locked("requirements-build.lock")["setuptools"] == locked("requirements.lock")["setuptools"]


def test_what_runs_here_is_what_is_locked() -> None:
    """The libraries whose text is the engine's are installed at their locked versions."""
    versions = locked("requirements.lock")
    assert {name: version(name) for name in TEXT_OF_ENGINES} == {name: versions[name][0] for name in TEXT_OF_ENGINES}


def test_engines_have_upper_bounds() -> None:
    """No next major version of a library whose text is the engine's is installed unseen."""
    bounded = {one.name for one in declared() if any(part.operator in ("<", "==") for part in one.specifier)}
    assert set(TEXT_OF_ENGINES) - bounded == set()
    assert {"ruff", "mypy"} <= {one.name for one in declared() if [part.operator for part in one.specifier] == ["=="]}
