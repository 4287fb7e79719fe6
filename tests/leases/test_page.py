"""`spec/leases.md` says what the tool says: conditions, figures, the worst run, and how long the traces are."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from fencepost.checkers.leases import Settings, Start, answer, as_text, region, worst_run, written
from fencepost.model.museum import MUSEUM

PAGE = (Path(__file__).resolve().parents[2] / "spec" / "leases.md").read_text(encoding="utf-8")
ONE_PERCENT = Fraction(1, 100)
DELAY = Fraction(500)


@pytest.mark.parametrize("name", ["send", "answer", "kip343"])
def test_the_page_has_the_derived_conditions(name: str) -> None:
    """The condition is on the page as it was derived, and for the send the lines of its derivation do, too."""
    one = region(name)
    assert str(one.holds) in PAGE
    if name == "send":
        for step in one.derivation.steps[-3:]:
            assert str(step.left[-1]) in PAGE


def test_the_page_has_the_figures_of_the_tool() -> None:
    """Overlaps, longest safe timers and margins of Kafka's settings, and of a broker's timer of 8 s."""
    kafka = answer(Settings(drift=ONE_PERCENT))
    late = answer(Settings(drift=ONE_PERCENT, delay=DELAY))
    for one in (kafka.forms[Start.SEND], late.forms[Start.ANSWER]):
        assert one.overlap is not None
        assert one.longest_lease is not None
        assert one.margin is not None
        assert f"| no | {written(one.overlap)} | {written(one.longest_lease)} | {written(one.margin)} |" in PAGE
    assert f"for up to {written(kafka.forms[Start.ANSWER].belief)}" in PAGE
    safe = answer(Settings(drift=ONE_PERCENT, delay=DELAY, broker_timeout=Fraction(8000)))
    assert all(one.safe for one in safe.forms.values())
    for one in safe.forms.values():
        assert one.margin is not None
        assert written(one.margin) in PAGE
    assert safe.outage is not None
    assert f"{written(safe.outage)}." in PAGE
    assert f"{written(safe.served)}." in PAGE
    assert (safe.lost_at_controller, safe.lost_at_broker) == (3, 2)


def test_the_page_has_the_worst_run() -> None:
    """The timeline on the page is the tool's, line by line."""
    assert "\n".join(as_text(worst_run(Settings(drift=ONE_PERCENT), Start.SEND))) in PAGE


def test_the_page_has_every_variant_with_its_length() -> None:
    """Each variant without epochs is on the page with the rows of its shortest trace."""
    told = {name: int(rows) for name, rows in re.findall(r"^\| `(\w+)` \|.*\| (\d+) \|$", PAGE, re.MULTILINE)}
    entries = [one for one in MUSEUM if one.base == "lease" and not one.repairs]
    assert told == {one.name: one.expected[0].length for one in entries}
