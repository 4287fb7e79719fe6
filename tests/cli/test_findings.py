"""Findings on the page of `conform`, and their pages from the installed package."""

import tomllib
from collections.abc import Callable
from typing import Any

from fencepost.checkers.findings_pages import action, page, title
from fencepost.model.releases import RELEASES

from .conftest import REPOSITORY

Says = Callable[..., Any]


def test_a_finding_is_listed_once_with_place_count_and_action(fencepost_says: Says) -> None:
    """Four sessions that end twice are one entry: how often, where first, of whom, and that nothing is to be done."""
    out = fencepost_says("conform", str(REPOSITORY / "traces" / "recorded" / "scram-bootstrap-4.4.0")).out
    lines = [line.strip() for line in out.splitlines()]
    at = next(n for n, line in enumerate(lines) if line.startswith("finding D23"))
    assert lines[at + 1].startswith("once at offset ")
    assert "broker" in lines[at + 1]
    assert lines[at + 2].startswith("action: none; upgrade from 4.0, where a broker")
    assert sum(line.startswith("finding D23") for line in lines) == 1


def test_the_page_of_a_finding_is_shown_and_installed(fencepost_says: Says) -> None:
    """`show D23` prints the page whole, and the wheel has every page."""
    page = (REPOSITORY / "spec" / "findings" / "D23.md").read_text(encoding="utf-8")
    assert fencepost_says("show", "D23").out.rstrip() == page.rstrip()
    assert fencepost_says("show", "D23", "--json").document["action"] == action("D23")
    data = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]
    assert "spec/findings/*.md" in data["fencepost"]


def test_a_defect_of_older_releases_has_a_title_an_action_and_a_page(fencepost_says: Says) -> None:
    """What a release's tables are known to break is named as the museum does, and says which release is without it."""
    assert title("J32").startswith("A broker that restarted before it was fenced stayed leader")
    assert action("J32") == "upgrade: 4.0 does not have it"
    shown = fencepost_says("show", "J32").out
    assert "**Releases** up to 3.9; 4.0 does not have it." in shown
    assert "fencepost museum J32" in shown
    ids = {defect for one in RELEASES.values() for each in one.differences for _, defect in each.breaks}
    assert {one for one in ids if not title(one) or not page(one)} == set()
    assert (title("D999"), page("D999"), action("D999")) == ("", "", "none is known")
