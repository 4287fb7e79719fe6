"""`fencepost whatif`: its page, its document and its exit codes."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.widths import too_wide

Says = Callable[..., Any]


@pytest.mark.slow
def test_a_variant_that_breaks_something(page_and_document: Says) -> None:
    """What is printed first is not kept; the page has the property, the row, a run, and the difference.

    The document has what was asked, what was not, what is broken, and the bounds with whether they see the edit.
    """
    said, documented = page_and_document("whatif", "kip343+unchecked_leader")
    assert said.code == 1
    lines = said.out.splitlines()
    assert lines[0].startswith("H11 × HI")
    assert "not kept" in lines[0]
    assert any(line.startswith("kip343+unchecked_leader against kip343: violated: of 9 obligations") for line in lines)
    assert "  HI2: violated, by H11" in lines
    assert "  - H11a on IsrChange (ISR changes): removed" in lines
    assert "H11 breaks HI2:" in lines
    assert "behaviour gained, the last step is of kip343+unchecked_leader only:" in lines
    assert "  behaviour lost: none, as no row can have any" not in lines  # a refusal is gone
    assert too_wide(said.out) == []
    document = documented.document
    assert (document["verdict"], document["exit_code"]) == ("violated", 1)
    assert (document["asked"], document["rows"], document["properties"]) == (9, ["H11b", "H11"], [])
    assert document["not_asked"] > 1000
    assert {one["property"] for one in document["proof"]["failed"] if not one["declared"]} == {"HI2", "HI5l"}
    assert all(isinstance(sees, bool) for sees in document["bounds"].values())
    assert document["first_seconds"] <= document["seconds"]


@pytest.mark.slow
def test_what_comes_to_pass_is_said_to_be_left(page_and_document: Says) -> None:
    """An edit that keeps every obligation and breaks a claim about runs without end says that this was not asked."""
    page, said = page_and_document(
        "whatif", "kip343+two_answers_in_a_row", "--search", "0", "--in-step", "0", "--repair", "0"
    )
    assert said.document["exit_code"] == 0
    assert "HI44" in said.document["comes_to_pass"]["lossy"]
    assert "not checked is liveness, which only exploration checks:" in page.out


@pytest.mark.parametrize(
    ("variant", "code", "verdict"),
    [
        ('P.but("L2", effects=(), why="w", name="v")', 0, "kept"),
        ('P.but("L2", when=lit & lit, why="w", name="v")', 3, "inconclusive"),
        ('P.but("L2", when=~lit, why="w", name="v")', 1, "violated"),
        ('P.claiming(always("A1", ~lit, source="s"), name="v")', 1, "violated"),
        ('P.without("L1", why="w").claiming(always("A1", ~lit, source="s"), name="v")', 8, "not inductive"),
    ],
)
def test_its_exit_codes(fencepost_says: Says, lamp: Callable[..., str], variant: str, code: int, verdict: str) -> None:
    """0 where all that is touched is kept, 3 where nothing differs, 1 for an overlap and a claim that a run breaks.

    It is 8 for a claim that a row breaks from a state to which no run is known.
    """
    odd = {
        'lit = cell("lit", BOOL)': 'lit, odd = cell("lit", BOOL), cell("odd", BOOL)',
        "lit.becomes(FALSE)))": 'lit.becomes(FALSE)), press("L3", odd, lit.becomes(TRUE)))',
    }
    name = lamp("lit | ~lit", **(odd if code == 8 else {})).removesuffix(":P")
    with open(name, "a", encoding="utf-8") as file:
        file.write(f"\nV = {variant}\n")
    document = fencepost_says("whatif", f"{name}:V", "--json").document
    assert (document["exit_code"], document["verdict"]) == (code, verdict)


def test_what_is_no_variant_is_refused(fencepost_says: Says) -> None:
    """A protocol that was made from no other needs `--base`."""
    said = fencepost_says("whatif", "lease")
    assert (said.code, "is no variant of another protocol; say --base PROTOCOL" in said.sentence) == (2, True)
