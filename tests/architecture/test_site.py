"""The documentation of the Python interfaces: its packages exist, and its pages lead nowhere that is not there."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def packages() -> list[str]:
    """Return the packages of which `make site` writes pages."""
    [line] = re.findall(r"^API := (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    return str(line).split()


def test_the_packages_of_the_site_exist() -> None:
    """What `make site` is to write pages of can be imported."""
    assert [one for one in packages() if importlib.util.find_spec(one) is None] == []


@pytest.mark.slow
@pytest.mark.representative("fencepost.spark-conform")
@pytest.mark.parametrize(
    ("package", "of_ours"), [("fencepost.model.language", "protocol"), ("fencepost.spark", "conform")]
)
def test_no_link_between_pages_is_dead_and_nothing_is_loaded_from_elsewhere(
    tmp_path: Path, package: str, of_ours: str
) -> None:
    """Pages of a package link to pages and places that are there, and load nothing over a network."""
    assert package in packages()
    command = [sys.executable, "-m", "pdoc", "--output-directory", str(tmp_path), package]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    pages = {page.resolve(): page.read_text("utf-8") for page in tmp_path.rglob("*.html")}
    here = tmp_path.joinpath(*package.split(".")).with_suffix(".html").resolve()
    assert f'id="{of_ours}"' in pages[here]
    dead, held = [], 0
    for page, text in pages.items():
        assert not re.search(r"""(?:src|@import)\s*=?\s*["'](?:https?:)?//""", text), page
        written = re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)
        for target in re.findall(r"""<a [^>]*href="([^"]+)\"""", written):
            if target.startswith(("http", "mailto:")):
                continue
            held += 1
            file, _, place = target.partition("#")
            there = (page.parent / file).resolve() if file else page
            if not there.exists() or (place and there in pages and f'id="{place}"' not in pages[there]):
                dead.append(f"{page.name}: {target}")
    assert held > 100
    assert dead == []
