"""The voters that logs of a quorum name: changes of one voter, with kraft.version 1, and the leaders' electors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fencepost.checkers.conformance.records.control_records import raft_level_of
from fencepost.checkers.conformance.records.voters import Voters
from fencepost.traces import ControlRecord
from fencepost.traces.record_types import KRAFT_VERSION, KRAFT_VOTERS, LEADER_CHANGE

from .members import Member
from .results import QuorumResult


def check_voters(members: Sequence[Member], result: QuorumResult) -> None:
    """Check the control records of every log that has its start; a violation that several logs share is one."""
    seen: set[tuple[str, int]] = set()
    for member in members:
        if member.start == 0 and not member.is_damaged:
            _Walk(member, result, seen).run()


class _Walk:
    """The control records of one log, in their order, with the voters before each."""

    def __init__(self, member: Member, result: QuorumResult, seen: set[tuple[str, int]]) -> None:
        self.member, self.result, self.seen = member, result, seen
        self.before = Voters()

    def run(self) -> None:
        """Walk the control records of the log."""
        for batch in self.member.batches:
            for record in batch.control_records if batch.is_control else ():
                if record.type == LEADER_CHANGE:
                    self._elected(record)
                elif record.type == KRAFT_VERSION:
                    self._version(record)
                elif record.type == KRAFT_VOTERS:
                    self._changed(record)
                self.before.note(record)

    def _elected(self, record: ControlRecord) -> None:
        """Check a leader and the voters that elected it against the voters before it, where the log has named any."""
        voters = set(self.before.current or ())
        if not voters:
            return
        granting = {one["voterId"] for one in record.data.get("grantingVoters") or ()}
        leader = record.data.get("leaderId")
        wrong = ""
        if leader not in voters:
            wrong = f"{leader} leads, and the voters are {_told(voters)}"
        elif not granting <= voters or 2 * len(granting) <= len(voters):
            wrong = f"{leader} was elected by {_told(granting)}, and the voters are {_told(voters)}"
        self._judge("elected-by-voters", record, wrong)

    def _version(self, record: ControlRecord) -> None:
        level, had = raft_level_of(record), self.before.level
        lower = level is not None and had is not None and level < had
        self._judge("voters-level", record, f"kraft.version goes from {had} to {level}" if lower else "")

    def _changed(self, record: ControlRecord) -> None:
        self._judge("voters-level", record, "" if self.before.level else "voters are written, and kraft.version is 0")
        named = [one["voterId"] for one in record.data.get("voters") or ()]
        after = Voters(current=self.before.current)
        after.note(record)
        wrong = ""
        if not named or len(set(named)) < len(named):
            wrong = f"the voters are {_told(named)}"
        elif after.changes and not after.changes[-1].first:
            one = after.changes[-1]
            if len(one.joined) + len(one.left) + 2 * len(one.moved) > 1:
                wrong = f"the voters become {_told(named)}, and before they were {_told(self.before.current or ())}"
                wrong += f"; the log directory of {_told(one.moved)} changes" if one.moved else ""
        self._judge("voters-change", record, wrong)

    def _judge(self, rule: str, record: ControlRecord, wrong: str) -> None:
        self.result.asked[rule] += 1
        if wrong and (rule, record.offset) not in self.seen:
            self.seen.add((rule, record.offset))
            self.member.violate(self.result, rule, record.offset, f"at {record.offset} {wrong}")


def _told(nodes: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(nodes))) or "none"
