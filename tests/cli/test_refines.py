"""`prove --refines`: which row of another protocol the steps of a row are."""

from collections.abc import Callable
from typing import Any

import pytest

Says = Callable[..., Any]


def test_a_row_is_named_with_the_rows_that_it_is(fencepost_says: Says) -> None:
    """The page and the document say of each row that is asked which rows of the slice its steps are."""
    said = fencepost_says("prove", "kraft", "--refines", "kraft-data", "--row", "CF5", "--row", "HB8")
    assert said.code == 0
    assert "CF5: DC17, DC18, DC21" in said.out
    document = fencepost_says("prove", "kraft", "--refines", "kraft-data", "--row", "HB8", "--json").document
    assert (document["verdict"], document["exit_code"], document["upper"]) == ("proved", 0, "kraft-data+any-controller")
    assert [(one["row"], one["frame"], one["targets"]) for one in document["rows"]] == [("HB8", True, [])]


@pytest.mark.nightly("tests/kraft_data/test_refinement.py::test_an_edit_that_breaks_the_interface_is_refuted")
def test_an_edit_that_does_not_refine_is_shown_with_its_step(fencepost_says: Says) -> None:
    """A museum entry that takes proposals under old partition epochs is refuted, with a step of it."""
    said = fencepost_says("prove", "kraft+A8-", "--refines", "kraft-data", "--row", "A14")
    assert said.code == 8
    assert "A14 makes a step that RF25 does not allow:" in said.out


def test_what_cannot_be_asked_is_refused(fencepost_says: Says) -> None:
    """Another protocol, one to which nothing is mapped, a row that there is not, and a property are refused."""
    for asked, sentence in (
        (("zk", "--refines", "kraft-data"), "--refines kraft-data takes kraft"),
        (("kraft", "--refines", "zk"), "no mapping to this protocol is known"),
        (("kraft", "--refines", "kraft-data", "--row", "XX"), "no row ['XX']"),
        (("kraft", "--refines", "kraft-data", "--property", "P1"), "--refines asks no properties"),
        (("kraft", "--refines", "kraft-data", "--why", "P1"), "--refines asks no properties"),
    ):
        said = fencepost_says("prove", *asked)
        assert said.code == 2
        assert sentence in said.sentence
