"""A comparison of the engines reports each defect that they once had, when the defect is put back."""

import pytest

from .comparing import ENGINES, compared
from .drawing import drawn
from .pieces import made
from .putting_back import DEFECTS, Defect


def reported(defect: Defect, seed: int) -> list[str]:
    """Return what a comparison of the defect's engine says of the protocol of a seed."""
    return [
        str(one) for one in compared(made(drawn(seed)).protocol, {defect.engine: ENGINES[defect.engine]}).differences
    ]


@pytest.mark.representative("refusal", "unchanged", "twice", "end of a range", "nothing read")
@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_is_reported_when_it_is_put_back(name: str) -> None:
    """The protocol of the recorded seed shows the defect, and nothing without it."""
    defect = DEFECTS[name]
    assert reported(defect, defect.seed) == []
    with defect.put_back():
        assert any(one.startswith(defect.reports) for one in reported(defect, defect.seed))


@pytest.mark.nightly("test_a_defect_is_reported_when_it_is_put_back")
@pytest.mark.parametrize("name", DEFECTS)
def test_so_many_protocols_are_needed(name: str) -> None:
    """The recorded seed is the first from 0 on whose protocol shows the defect."""
    defect = DEFECTS[name]
    with defect.put_back():
        first = next(seed for seed in range(defect.seed + 1) if reported(defect, seed))
    assert first == defect.seed
