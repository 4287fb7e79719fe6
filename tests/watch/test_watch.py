"""Two releases of Kafka compared with what rows cite, as `make watch` does it."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.checkers.watch import __main__ as command
from fencepost.checkers.watch import report
from fencepost.checkers.watch.bytecode import Method, methods
from fencepost.checkers.watch.cited import Cited, cited
from fencepost.checkers.watch.releases import ARTIFACTS, fetched
from fencepost.checkers.watch.report import Watch, compared, text
from fencepost.checkers.watch.reviewed import FILE, Look, looks
from tests.kafka.published import unavailable

ROOT = Path(__file__).resolve().parents[2]
OLD, NEW = "4.3.1", "4.4.0"

pytestmark = pytest.mark.kafka


CONTROLLER, EVERY = "the controller", "every class"
by_day = pytest.mark.representative(CONTROLLER)
READ: dict[Path, dict[str, dict[str, Method]]] = {}
"""What javap said of the classes of a jar that were compared."""


def of_controller(owner: str) -> bool:
    """Whether a class is one of the controller: the controller itself, a manager, or what builds changes."""
    return owner in ("QuorumController", "PartitionChangeBuilder") or owner.endswith("ControlManager")


@pytest.fixture(scope="module", params=[CONTROLLER, EVERY])
def found(request: pytest.FixtureRequest) -> Watch:
    """Return 4.3.1 and 4.4.0 compared, of what rows cite the classes of the controller or all."""
    try:
        jars = {version: fetched(version) for version in (OLD, NEW)}
    except Refusal as refused:
        unavailable(str(refused))

    def read(jar: Path, paths: set[str]) -> dict[str, dict[str, Method]]:
        said = methods(jar, paths)
        READ.setdefault(jar, {}).update(said)
        return said

    some = [one for one in cited() if request.param == EVERY or of_controller(one.owner)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(report, "methods", read)
        return compared((OLD, jars[OLD]), (NEW, jars[NEW]), some, looks(ROOT / FILE))


@by_day
def test_every_change_that_rows_follow_was_looked_at(found: Watch) -> None:
    """Between 4.3.1 and 4.4.0 thirteen methods of the controller that rows cite or call changed, each with a reason."""
    followed = [one.method for one in found.changes if one.rows and of_controller(one.method.partition(".")[0])]
    assert len(followed) == 13
    assert [one.method for one in found.changes if one.asks] == []
    assert found.code == ExitCode.AS_DECLARED


@by_day
def test_what_builds_a_change_of_a_partition_is_the_same(found: Watch) -> None:
    """No method of PartitionChangeBuilder changed, which more rows follow than any other class."""
    assert any(one.owner == "PartitionChangeBuilder" for one in cited())
    assert not [one for one in found.changes if one.method.startswith("PartitionChangeBuilder.")]


@by_day
def test_records_and_levels_that_are_new(found: Watch) -> None:
    """4.4.0 has one record more, three levels of metadata.version, and one of share.version."""
    assert found.records == ("UnregisterControllerRecord is new (api key 29), versions 0",)
    assert [line for line in found.levels if line.startswith("MetadataVersion")] == [
        "MetadataVersion: IBP_4_4_IV1 (32) is new",
        "MetadataVersion: IBP_4_4_IV2 (33) is new",
        "MetadataVersion: IBP_4_5_IV0 (34) is new",
        "MetadataVersion: for production was IBP_4_3_IV0 and is IBP_4_4_IV2",
    ]


@by_day
def test_a_change_that_was_not_looked_at_fails(found: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the digest of a look is another, its rows are named and the result is that of a violation."""
    jars = {version: fetched(version) for version in (OLD, NEW)}
    row = Cited("ReplicationControlManager", "createPartitions", ("kraft CP5",))
    monkeypatch.setattr(report, "methods", lambda jar, paths: {path: READ[jar][path] for path in paths})
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
def test_a_release_against_itself_has_nothing_new(
    found: Watch, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """The same jars twice have no difference, and no class that is compared is lost on the way."""
    jars = fetched(NEW)
    monkeypatch.setattr(report, "methods", lambda jar, paths: {path: READ[jar][path] for path in paths})
    some = [one for one in cited() if request.node.callspec.params["found"] == EVERY or of_controller(one.owner)]
    same = compared((NEW, jars), (NEW, jars), some, {})
    assert (same.records, same.levels, same.changes, same.classes) == ((), (), (), found.classes)


@by_day
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


MAVEN = "#!/bin/sh\necho '[ERROR] Could not find artifact org.apache.kafka:kafka-metadata:jar:4.3.99'\nexit 1\n"
"""What Maven does where there is no such version."""


@pytest.mark.representative("as Maven says")
@pytest.mark.parametrize("maven", [MAVEN, ""], ids=["as Maven says", "Maven"])
def test_a_release_that_is_not_there_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, maven: str
) -> None:
    """A version that nothing has published ends with one sentence, inconclusive."""
    if maven:
        (tmp_path / "mvn").write_text(maven, encoding="utf-8")
        (tmp_path / "mvn").chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
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
