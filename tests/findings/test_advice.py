"""What the pages of findings advise, carried out: today's rows keep the claim under it, or something else shows it."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from fencepost.checkers.exploration import explore
from fencepost.checkers.verdicts import Verdict
from fencepost.model.findings import FINDINGS
from fencepost.model.findings.advice import ADVICE, Advice
from fencepost.model.findings.eligible import QUIET
from fencepost.model.kraft.cluster import is_elr, to
from fencepost.model.kraft.configurations import CONFIGURATIONS
from fencepost.model.kraft.state import BROKER, elr, p
from fencepost.model.language import AT_RESULT_BOUNDARIES, FALSE, forall, next_, nobody, step
from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.errors import Errors
from tests.reference.kraft.bench import Bench, directory
from tests.unbroken import unbroken

ROOT = Path(__file__).resolve().parents[2]
SEARCHED = {one.id: one for one in FINDINGS}
SLOW = {"D15b", "D25"}
"""Searches of two partitions."""
CARRIED_OUT = [
    pytest.param(one, id=one.finding, marks=pytest.mark.slow if one.finding in SLOW else ())
    for one in ADVICE
    if one.given
]


@pytest.mark.representative("D33", "D5")
@pytest.mark.parametrize("advice", CARRIED_OUT)
def test_whoever_follows_the_advice_does_not_meet_the_finding(advice: Advice) -> None:
    """The search that breaks the claim finds nothing, and what the requests are for still happens."""
    finding = SEARCHED[advice.finding]
    advised = finding.faithful(advice.given)
    found = explore(advised, "smallest", max_depth=len(finding.trace) + 1, deadlock=False)
    assert unbroken(found.property(finding.claim.id)), found.property(finding.claim.id)
    assert not set(advice.still) & set(found.rows_never_fired)


def test_every_page_has_advice() -> None:
    """Each page of a finding has advice, which is carried out, or shown by a test, or there is none for a reason."""
    pages = {one.stem for one in (ROOT / "spec" / "findings").glob("[DK]*.md")}
    by_finding = {one.finding: one for one in ADVICE}
    assert len(by_finding) == len(ADVICE)
    assert by_finding.keys() - {one.id for one in FINDINGS} <= pages
    assert pages <= by_finding.keys()
    assert [one.finding for one in ADVICE if bool(one.given) == bool(one.because)] == []
    assert [one.finding for one in ADVICE if bool(one.given) != bool(one.still)] == []


def test_advice_that_no_row_carries_out_is_shown_or_there_is_none() -> None:
    """Where rows cannot say it a test shows it, or repaired rows keep the claim of a search, or the page has no run."""
    for one in ADVICE:
        if one.shown:
            file, name = one.shown.split("::")
            assert re.search(rf"^def {name}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE), one.shown
        elif not one.given:
            assert one.finding in SEARCHED or one.finding in NOTHING_TO_RUN, one.finding


NOTHING_TO_RUN = {"D19": "Where one heartbeat of any broker arrives, nothing", "D29": "from reading"}
"""Findings of which no run exists, with the words of their pages or of the list that say so."""


def test_what_cannot_be_run_says_so() -> None:
    """A finding without a run says on its page, or in the list, why there is none."""
    for finding, words in NOTHING_TO_RUN.items():
        texts = [
            (ROOT / "spec" / "findings" / f"{name}.md").read_text(encoding="utf-8") for name in (finding, "README")
        ]
        assert any(words in " ".join(text.split()) for text in texts), finding


def test_partitions_are_added_when_no_reassignment_is_under_way() -> None:
    """D17: a partition that is added after the reassignment was cancelled has as many replicas as it should."""
    bench = Bench()
    bench.start(*range(1, 7))
    topic = bench.create("t", [1, 2, 3])
    bench.reassign("t", [4, 5, 6])
    bench.reassign("t", None)
    request = m.CreatePartitionsRequest(topics=(m.PartitionsRequest("t", 2),))
    [answer] = bench.apply(bench.replication.create_partitions(request))
    assert (answer.error, len(bench.partition(topic, 1).replicas)) == (Errors.NONE, 3)


def test_a_broker_that_stops_gives_up_what_it_leads_in_a_failed_directory() -> None:
    """D34: heartbeats leave the broker the leader in its failed directory; a new process, or a stop, does not."""
    for comes_back in (True, False):
        bench = Bench()
        bench.start(1, dirs=2)
        topic = bench.create("t", [1])
        epoch = bench.cluster.registrations[1].epoch
        where = m.AssignReplicasToDirsRequest(broker_id=1, broker_epoch=epoch, assignments=((directory(1), topic, 0),))
        bench.apply(bench.replication.assign_replicas_to_dirs(where))
        bench.fence(1)
        for _ in range(2):
            bench.heartbeat(1, offline_log_dirs=(directory(1),))
            assert bench.partition(topic).leader == 1
        if comes_back:
            bench.register(1, clean=True)
        else:
            bench.fence(1)
        assert bench.partition(topic).leader == -1


def test_setting_the_minimum_while_they_are_off_forgets_no_eligible_replica() -> None:
    """D21: with eligible leader replicas off the cluster's minimum is written alone, and a stale one stays eligible."""
    finding = SEARCHED["D21"]
    forgets = step("CF15c", forall(p, next_(elr[p]).is_(nobody(BROKER))), scope=AT_RESULT_BOUNDARIES, rows=("CF15",))
    quiet = dict.fromkeys(("AlterTopicMinInsync", "AlterNodeUnclean", *QUIET), FALSE)
    searched = replace(
        finding,
        claim=forgets,
        tables=(*finding.tables, CONFIGURATIONS.name),
        given={**finding.given, **quiet, "UpdateFeature": is_elr & to.is_(0)},
    )
    depth = len(finding.trace) + 2
    found = explore(searched.faithful(), "smallest", max_depth=depth, stop_at_first=True, deadlock=False)
    broken = found.property("CF15c")
    assert broken.verdict is Verdict.VIOLATED
    assert broken.trace is not None
    assert [one.row.id for one in broken.trace.steps] == [*finding.trace, "CF15"]
