"""Two releases of Kafka compared with what rows cite, as `make watch` does it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.checkers.watch import __main__ as command
from fencepost.checkers.watch.cited import Cited, cited
from fencepost.checkers.watch.releases import ARTIFACTS, fetched
from fencepost.checkers.watch.report import Watch, compared, text
from fencepost.checkers.watch.reviewed import FILE, Look, looks
from tests.kafka.published import unavailable

ROOT = Path(__file__).resolve().parents[2]
OLD, NEW = "4.3.1", "4.4.0"

pytestmark = pytest.mark.kafka


@pytest.fixture(scope="module")
def found() -> Watch:
    """Return 4.3.1 and 4.4.0 compared."""
    try:
        jars = {version: fetched(version) for version in (OLD, NEW)}
    except Refusal as refused:
        unavailable(str(refused))
    return compared((OLD, jars[OLD]), (NEW, jars[NEW]), cited(), looks(ROOT / FILE))


def test_every_change_that_rows_follow_was_looked_at(found: Watch) -> None:
    """Between 4.3.1 and 4.4.0 thirteen methods of the controller that rows cite or call changed, each with a reason."""
    owners = {one.method: one.method.partition(".")[0] for one in found.changes if one.rows}
    of_controller = [
        name for name, owner in owners.items() if owner == "QuorumController" or owner.endswith("ControlManager")
    ]
    assert len(of_controller) == 13
    assert [one.method for one in found.changes if one.asks] == []
    assert found.code == ExitCode.AS_DECLARED


def test_what_builds_a_change_of_a_partition_is_the_same(found: Watch) -> None:
    """No method of PartitionChangeBuilder changed, which more rows follow than any other class."""
    assert any(one.owner == "PartitionChangeBuilder" for one in cited())
    assert not [one for one in found.changes if one.method.startswith("PartitionChangeBuilder.")]


def test_records_and_levels_that_are_new(found: Watch) -> None:
    """4.4.0 has one record more, three levels of metadata.version, and one of share.version."""
    assert found.records == ("UnregisterControllerRecord is new (api key 29), versions 0",)
    assert [line for line in found.levels if line.startswith("MetadataVersion")] == [
        "MetadataVersion: IBP_4_4_IV1 (32) is new",
        "MetadataVersion: IBP_4_4_IV2 (33) is new",
        "MetadataVersion: IBP_4_5_IV0 (34) is new",
        "MetadataVersion: for production was IBP_4_3_IV0 and is IBP_4_4_IV2",
    ]


def test_a_change_that_was_not_looked_at_fails(found: Watch) -> None:
    """Where the digest of a look is another, its rows are named and the result is that of a violation."""
    jars = {version: fetched(version) for version in (OLD, NEW)}
    row = Cited("ReplicationControlManager", "createPartitions", ("kraft CP5",))
    stale = {"ReplicationControlManager.createPartitions": [Look("", "0" * 12, "an older change")]}
    only = compared((OLD, jars[OLD]), (NEW, jars[NEW]), [row], stale)
    assert only.code == ExitCode.VIOLATED
    # The method itself, and two that it calls.
    assert [(one.method.partition(".")[2], one.rows) for one in only.changes if one.asks] == [
        ("createPartitions", ("kraft CP5",)),
        ("validateManualPartitionAssignment", ("kraft CP5",)),
        ("validateTotalNumberOfPartitions", ("kraft CP5",)),
    ]
    said = "\n".join(text(only))
    assert said.count("NOT LOOKED AT") == 3
    assert max(map(len, text(found))) <= 130


@pytest.mark.nightly("test_every_change_that_rows_follow_was_looked_at")
def test_a_release_against_itself_has_nothing_new(found: Watch) -> None:
    """The same jars twice have no difference, and no class that is compared is lost on the way."""
    jars = fetched(NEW)
    same = compared((NEW, jars), (NEW, jars), cited(), {})
    assert (same.records, same.levels, same.changes, same.classes) == ((), (), (), found.classes)


def test_the_command_prints_json(
    found: Watch, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`make watch` prints one document, and returns what the comparison comes to."""
    assert set(fetched(NEW)) == set(ARTIFACTS)
    monkeypatch.setattr(command, "compared", lambda old, new, *_: replace(found, old=old[0], new=new[0]))
    assert command.main(["--old", OLD, "--new", NEW, "--json"]) == ExitCode.AS_DECLARED
    said = json.loads(capsys.readouterr().out)
    assert (said["old"], said["new"], said["code"]) == (OLD, NEW, 0)
    assert [one["method"] for one in said["changes"]] == [one.method for one in found.changes]


def test_a_release_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """A version that nothing has published ends with one sentence, inconclusive."""
    assert command.main(["--old", "4.3.99", "--new", NEW]) == ExitCode.INCONCLUSIVE
    assert capsys.readouterr().err.startswith("error: Maven could not fetch the jars")


@pytest.mark.parametrize(
    "entry",
    [
        'method = "A.b"\ndigest = "1"',
        'method = "A.b"\ndigest = "1"\nreason = ""',
        'method = 1\ndigest = "1"\nreason = "x"',
    ],
)
def test_a_look_without_a_reason_is_none(entry: str, tmp_path: Path) -> None:
    """An entry that lacks a part, or has an empty one, is refused with its place."""
    file = tmp_path / "watched.toml"
    file.write_text(f"[[looked]]\n{entry}\n", encoding="utf-8")
    with pytest.raises(Refusal, match=r"watched\.toml: entry 1 of \[\[looked\]\] must have method, digest and reason"):
        looks(file)
