"""The rows of KIP-1262 that docs/questions has: what they keep, and which invariant each faulty variant breaks."""

from pathlib import Path

import pytest

from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.named import family
from fencepost.checkers.verdicts import Verdict

PAGE = Path(__file__).parents[2] / "docs" / "questions" / "clusterid.py"


def explored(variant: str) -> Exploration:
    """Return what exploration says of a variant of the page."""
    (tables,) = family(f"{PAGE}:{variant}").slices
    return explore(tables, "upgrade", engine="numpy")


@pytest.mark.parametrize(("variant", "claim", "rows"), [
    ("BELOW", "CI1", ["AC1"]),
    ("FORGOTTEN", "CI3", ["AC1", "FE5"]),
    ("ANOTHER", "CI2", ["AC1", "FE5"]),
    ("REOPENED", "CI1", ["AC1", "FE5"]),
])  # fmt: skip
def test_a_faulty_variant_breaks_an_invariant(variant: str, claim: str, rows: list[str]) -> None:
    """By a shortest run, which the interpreter has replayed."""
    found = explored(variant).property(claim)
    assert found.verdict is Verdict.VIOLATED
    assert found.trace is not None
    assert [one.row.id for one in found.trace.steps] == rows


def test_the_rows_keep_the_invariants() -> None:
    """Every state at the bound was seen, and none of the conditions is vacuous there."""
    found = explored("CUT")
    assert {one.id: one.verdict for one in found.properties} == dict.fromkeys(
        ("CI1", "CI2", "CI3", "CI2l", "deadlock"), Verdict.CLOSED
    )
