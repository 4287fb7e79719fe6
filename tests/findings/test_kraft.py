"""Findings of the KRaft controller: broken by today's rows, kept by the repaired ones."""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from fencepost.checkers.asked import asked_of
from fencepost.checkers.exploration import explore
from fencepost.checkers.exploration.result import PropertyVerdict
from fencepost.checkers.exploration.walks import Walker
from fencepost.checkers.proof import prove
from fencepost.checkers.verdicts import Verdict
from fencepost.model.findings import FINDINGS, Finding
from fencepost.model.kraft import KRAFT
from fencepost.model.language import TRUE, Always, Step
from tests import edited_rows
from tests.unbroken import unbroken

PAGES = Path(__file__).resolve().parents[2] / "spec" / "findings"
SLOW = {"D15b", "D25"}
SEARCHED = [pytest.param(one, id=one.id, marks=pytest.mark.slow if one.id in SLOW else ()) for one in FINDINGS]
QUICK = {"D5", "D14", "D20", "D24", "D31"}
PROVED = [
    pytest.param(one, id=one.id, marks=() if one.id in QUICK else pytest.mark.slow) for one in FINDINGS if one.proved
]


@cache
def broken(id: str) -> PropertyVerdict:
    """Return what a search says of a finding's claim under today's rows, as few of them as show the finding."""
    [finding] = [one for one in FINDINGS if one.id == id]
    deepest = len(finding.trace) + 2
    found = explore(finding.faithful(), "smallest", max_depth=deepest, stop_at_first=True, deadlock=False)
    return found.property(finding.claim.id)


@pytest.mark.representative("D20", "D10b")
@pytest.mark.parametrize("finding", SEARCHED)
def test_today_s_rows_break_the_claim(finding: Finding) -> None:
    """The claim falls after as many rows as declared and no sooner, by a last row that is the declared one."""
    found = broken(finding.id)
    assert found.verdict is Verdict.VIOLATED
    assert found.trace is not None
    rows = [step.row.id for step in found.trace.steps]
    assert (sorted(rows), rows[-1]) == (sorted(finding.trace), finding.trace[-1]), "\n".join(found.trace.lines())


@pytest.mark.representative("D20", "D10b")
@pytest.mark.parametrize("finding", SEARCHED)
def test_the_trace_breaks_nothing_that_is_declared_to_hold(finding: Finding) -> None:
    """Today's rows have the trace, so that whatever it breaks is declared violated of them, the claim among it."""
    trace = broken(finding.id).trace
    assert trace is not None
    sizes = {**dict.fromkeys(KRAFT.sized_kinds(), 1), **finding.faithful().bounds["smallest"].sizes}
    assert Walker(replace(KRAFT, start=TRUE), sizes).broken_along(trace) is None


@pytest.mark.representative("D10b", "D5")
@pytest.mark.parametrize("finding", SEARCHED)
def test_the_repaired_rows_keep_it(finding: Finding) -> None:
    """In the same search and a row deeper the variant keeps the claim, and its last row still runs."""
    repaired = finding.repair(finding.faithful())
    found = explore(repaired, "smallest", max_depth=len(finding.trace) + 1, deadlock=False)
    assert unbroken(found.property(finding.claim.id))
    last = finding.trace[-1]
    assert last not in found.rows_never_fired, f"{last} never ran, so that nothing could break the claim"


@pytest.mark.representative("D10b", "D20")
@pytest.mark.parametrize("finding", PROVED)
def test_the_repair_is_proved_where_it_matters(finding: Finding) -> None:
    """The rows concerned of the whole repaired protocol keep the claim, for any number of brokers and partitions."""
    repaired = finding.repair(finding.whole())
    proof = prove(repaired, properties=[finding.claim.id], rows=finding.proved, assumptions=False)
    assert [(one.row, one.message) for one in proof.failed] == []
    assert proof.proved >= 1


def test_no_row_of_the_repair_sets_the_value_of_a_node() -> None:
    """What D31's repair rests on is kept by every row that writes it: no node has a value of its own, ever."""
    [finding] = [one for one in FINDINGS if one.id == "D31"]
    [unset], repaired = finding.keeps, finding.repaired()
    rows = edited_rows.writers(repaired, [unset.id])
    proof = prove(repaired, properties=[unset.id], rows=rows, assumptions=False)
    assert [(one.row, one.message) for one in proof.failed] == []
    assert proof.proved > 1


@pytest.mark.nightly("test_the_repair_is_proved_where_it_matters")
@pytest.mark.parametrize("id", ["P26", "P35", "P35u"])
def test_the_repair_of_d33_is_proved_of_every_row(id: str) -> None:
    """Where a ClearElr spares partitions with too few in sync, every row keeps what four of today's rows break."""
    [finding] = [one for one in FINDINGS if one.id == "D33"]
    repaired = finding.repaired()
    proof = prove(repaired, properties=[id], assumptions=False)
    assert [(one.row, one.message) for one in proof.failed] == []
    claim = KRAFT.property(id)
    assert isinstance(claim, Step)
    assert set(claim.by) <= set(asked_of(repaired, repaired.property(id)).asked)  # type: ignore[arg-type]


@pytest.mark.nightly("test_the_repair_is_proved_where_it_matters")
@pytest.mark.parametrize("id", ["P1w", "P3w", "P32", "P36"])
def test_the_repair_of_d34_is_proved_of_what_heartbeats_break(id: str) -> None:
    """The repaired heartbeats keep what today's break, each declared so."""
    [finding] = [one for one in FINDINGS if one.id == "D34"]
    claim = KRAFT.property(id)
    assert isinstance(claim, (Always, Step))
    assert (claim.expected, claim.finding, claim.by) == ("violated", "D34", finding.proved)
    proof = prove(finding.repaired(), properties=[id], rows=finding.proved, assumptions=False)
    assert [(one.row, one.message) for one in proof.failed] == []
    assert proof.proved >= 1


def test_the_page_tells_the_same() -> None:
    """A finding's page has its title and, numbered, the rows of its trace."""
    for finding in FINDINGS:
        page = (PAGES / f"{finding.id.rstrip('b')}.md").read_text(encoding="utf-8")
        assert finding.title in page, finding.id
        rows = [row for _, row in re.findall(r"^(\d+)\. (\w+) ", page, re.MULTILINE)]
        trace = list(finding.trace)
        assert any(rows[at : at + len(trace)] == trace for at in range(len(rows))), finding.id


@pytest.mark.representative("some")
@pytest.mark.parametrize("part", ["some", "others"])
def test_a_repair_is_a_variant_that_says_why(part: str) -> None:
    """Each repair applies to the whole protocol, changes it, and says why; every fourth by day."""
    for number, finding in enumerate(FINDINGS):
        if (number % 4 == 0) is not (part == "some"):
            continue
        whole = finding.whole()
        repaired = finding.repair(whole)
        assert repaired.why, finding.id
        assert repaired.hash != whole.hash, finding.id
        assert set(finding.proved) <= {row.id for row in repaired.rows}, finding.id


def test_every_finding_of_the_tables_has_a_page() -> None:
    """What a row or a property declares as a finding has a page, and the list of findings names every page."""
    declared = {row.finding for row in KRAFT.rows} | {getattr(one, "finding", "") for one in KRAFT.properties}
    pages = {path.stem for path in PAGES.glob("[DK]*.md")}
    assert {one.rstrip("b") for one in declared if re.fullmatch(r"[DK]\d+[bc]?", one)} <= pages
    index = (PAGES / "README.md").read_text(encoding="utf-8")
    assert pages == set(re.findall(r"\(([DK]\d+c?)\.md\)", index))


@pytest.mark.parametrize(
    ("page", "known_as"),
    [
        ("D24", ["20237"]),
        ("D27", ["KAFKA-20532"]),
        ("D28", ["issue 3556", "3575", "3577", "3578"]),
        ("K7", ["KAFKA-20395", "KAFKA-20295"]),
    ],
)
def test_a_finding_that_is_known_elsewhere_cites_it(page: str, known_as: list[str]) -> None:
    """What Kafka's developers know of a finding, its page cites, and the list of findings names it."""
    text, index = ((PAGES / f"{name}.md").read_text(encoding="utf-8") for name in (page, "README"))
    assert [one for one in known_as if one not in text] == []
    assert known_as[0] in " ".join(index.split())
