"""The site: its pages and the documentation of the Python interfaces lead nowhere that is not there."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fencepost.checkers import site
from fencepost.model.registry import FAMILIES

ROOT = Path(__file__).resolve().parents[2]


def packages() -> list[str]:
    """Return the packages of which `make site` writes pages."""
    [line] = re.findall(r"^API := (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    return str(line).split()


def test_the_packages_of_the_site_exist() -> None:
    """What `make site` is to write pages of can be imported."""
    assert [one for one in packages() if importlib.util.find_spec(one) is None] == []


def built(folder: Path) -> subprocess.CompletedProcess[str]:
    """Build the site of the folder `pages` below a folder, with the settings of the site."""
    settings = (ROOT / "docs" / "mkdocs.yml").read_text("utf-8")
    (folder / "mkdocs.yml").write_text(settings.replace("../build/", ""), "utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", str(folder / "mkdocs.yml")]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.slow
def test_every_page_of_the_repository_and_of_tables_is_a_page_of_the_site(tmp_path: Path) -> None:
    """MkDocs writes each page, finds what each links to, and loads nothing over a network."""
    held = site.collect(tmp_path / "pages")
    assert {Path("README.md"), Path("spec/requirements/s4.md"), Path("spec/bounds/kraft.md")} < set(held)
    assert {Path("spec", "tables", f"{name}.md") for name in FAMILIES} < set(held)
    said = built(tmp_path)
    assert said.returncode == 0, said.stderr
    for page in held:
        if page.suffix == ".md":
            written = (
                tmp_path / "site" / page.with_name(page.name.replace("README.md", "index.md")).with_suffix(".html")
            )
            assert not re.search(r"""(?:src|@import)\s*=?\s*["'](?:https?:)?//""", written.read_text("utf-8")), page


@pytest.mark.slow
def test_a_link_to_a_page_that_is_not_there_ends_the_site(tmp_path: Path) -> None:
    """With the settings of the site a dead link between two pages ends MkDocs with an error that names it."""
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "README.md").write_text("# One\n\n[other](docs/why.md)\n", "utf-8")
    said = built(tmp_path)
    assert said.returncode == 1
    assert "why.md" in said.stderr


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
