"""Quorums of the reference under faults: copies of their disks conform together, and single alterations are found."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.checkers.conformance.quorum import QuorumResult, judge_quorum
from fencepost.checkers.conformance.quorum.judge import check
from fencepost.checkers.conformance.quorum.members import Member
from fencepost.checkers.verdicts import Refusal, Verdict
from fencepost.reference.kraft.simulation.plan import Plan
from fencepost.reference.kraft.simulation.run import Run
from fencepost.reference.kraft.simulation.written import write_controllers
from fencepost.traces import MetadataLog, find_logs, read_log
from fencepost.traces.node_files import NodeFiles, read_node_files
from tests.cases import examples

from .altered import moved

SEED = 3
"""In this run a leader loses what it had appended in epoch 1, and node 3001 has it in two copies."""


def copies(place: Path, seed: int, most: int = 12) -> Path:
    """Run a cluster under all faults; copy every controller's disk while the logs differ, and in the end."""
    run = Run(Plan(seed=seed, seconds=100, faults="all"), lambda step: None, None)
    run.cluster.start()
    for process in (run.administrator, *run.odd, *run.producers):
        process.start()
    run.faults.start()
    written = 0
    for tenth in range(1, 1_000):
        run.cluster.run(0.1)
        ends = {node.disk.log.end_offset for node in run.cluster.controllers.values()}
        if min(ends) > 0 and written < most and (tenth % 120 == 0 or (len(ends) > 1 and tenth % 7 == 0)):
            written += 1
            write_controllers(run.cluster, place / f"{tenth:04d}")
    run.faults.stop()
    run.cluster.run(20)
    write_controllers(run.cluster, place / "last")
    return place


@pytest.mark.slow
@settings(max_examples=examples(8), deadline=None)
@given(st.integers(0, 500))
def test_simulated_quorums_conform(seed: int) -> None:
    """Whatever is on disk at some moment, uncommitted tails and all, no two copies contradict one another."""
    with TemporaryDirectory() as place:
        found = judge_quorum(find_logs([copies(Path(place), seed)]))
    assert (found.violations, found.nodes) == ([], (3000, 3001, 3002))
    assert found.asked["epoch-checkpoint"] > 0
    # A copy may be of a log that has nothing yet; and where no leader was elected twice, nothing may be known.
    assert found.verdict is Verdict.CONFORMS or all(
        "it holds no batch" in doubt or "nothing shows" in doubt for doubt in found.doubts
    )


@pytest.fixture(scope="module")
def quorum(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copies of one quorum's disks, in which a tail was cut."""
    return copies(tmp_path_factory.mktemp("quorum"), SEED)


def test_a_tail_that_was_cut_is_told(quorum: Path) -> None:
    """A copy has records of epoch 1 where later ones have the leader change of epoch 2: a finding, no violation."""
    found = judge_quorum(find_logs([quorum]))
    assert (found.verdict, found.violations) == (Verdict.CONFORMS, [])
    assert found.tails
    assert {(one.epochs, one.replaced_by) for one in found.tails} == {((1,), 2)}


def test_a_majority_in_one_epoch_shows_what_is_committed(quorum: Path) -> None:
    """quorum-state and meta.properties tell that two of three voters have it; without these files less is known."""
    last = sorted((quorum / "last").glob("controller-*"))
    known = judge_quorum(find_logs(last))
    assert "of 3 voters" in known.committed_by
    members = [Member(read_log(one / "__cluster_metadata-0"), NodeFiles()) for one in last]
    without = QuorumResult(())
    check(members, (), without)
    assert without.committed < known.committed


def test_logs_of_two_clusters_are_refused(quorum: Path, tmp_path: Path) -> None:
    """meta.properties that name two clusters: the question is wrong, not the logs."""
    other = tmp_path / "controller-9" / "__cluster_metadata-0"
    other.mkdir(parents=True)
    one = next((quorum / "last").glob("controller-*"))
    file = "00000000000000000000.log"
    (other / file).write_bytes((one / "__cluster_metadata-0" / file).read_bytes())
    (other.parent / "meta.properties").write_text("cluster.id=another\nnode.id=9\nversion=1\n")
    with pytest.raises(Refusal, match="2 clusters"):
        judge_quorum(find_logs([one, other]))


Logs = Sequence[tuple[MetadataLog, NodeFiles]]


@pytest.fixture(scope="module")
def final(quorum: Path) -> Logs:
    """Return the logs at the end, which all three nodes have alike, with the files beside them."""
    return [(read_log(one), read_node_files(one.path)) for one in find_logs([quorum / "last"])]


def test_a_leader_epoch_checkpoint_of_another_log(final: Logs) -> None:
    """An epoch begins elsewhere than the checkpoint beside the log says."""
    members = [Member(*one) for one in final]
    entries = members[0].files.epochs
    assert entries is not None
    wrong = (*entries[:-1], entries[-1]._replace(start_offset=entries[-1].start_offset + 1))
    members[0] = Member(members[0].log, replace(members[0].files, epochs=wrong))
    (found,) = _checked(members).violations
    assert (found.rule, found.log, found.epoch) == ("epoch-checkpoint", members[0].name, entries[-1].epoch)


def _checked(members: Sequence[Member]) -> QuorumResult:
    result = QuorumResult(tuple(one.name for one in members))
    check(members, (), result)
    return result


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_any_alteration_of_what_is_committed_is_found(final: Logs, data: st.DataObject) -> None:
    """A batch of one log with another content, in another epoch, or gone and the rest moved up: found there."""
    members = [Member(*one) for one in final]
    committed = _checked(members).committed
    assert committed == max(one.end for one in members)
    number = data.draw(st.integers(0, len(members) - 1), label="log")
    batches = list(members[number].log.batches)
    place = data.draw(
        st.sampled_from([n for n, one in enumerate(batches) if one.last_offset < committed]), label="batch"
    )
    batch = batches[place]
    # Without its last batch a log is one that is behind, which is no violation.
    gone = ["gone"] if place + 1 < len(batches) else []
    match data.draw(st.sampled_from(["content", "epoch", *gone]), label="alteration"):
        case "content":
            batches[place] = replace(batch, crc=batch.crc ^ 1)
        case "epoch":
            batches[place] = replace(batch, epoch=batch.epoch + data.draw(st.sampled_from([-1, 1]), label="by"))
        case _:
            by = batch.base_offset - batch.last_offset - 1
            batches[place:] = [moved(one, by) for one in batches[place + 1 :]]
    altered = members[number]
    members[number] = Member(replace(altered.log, batches=tuple(batches)), replace(altered.files, epochs=None))
    found = _checked(members)
    assert found.verdict is Verdict.VIOLATES
    first = found.violations[0]
    assert first.log == altered.name
    assert first.offset is not None
    assert batch.base_offset <= first.offset <= batch.last_offset + 1
    assert {one.log for one in found.violations} == {altered.name}
