"""Bootstrap records: as recorded clusters were formatted, and where they are read from."""

from pathlib import Path

import pytest

from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.storage import StorageError, bootstrap_records, effective_levels, read_bootstrap
from fencepost.reference.kraft.storage.bootstrap import build_bootstrap, write_bootstrap
from fencepost.reference.kraft.storage.scram import scram_record
from fencepost.reference.kraft.storage.voters import parse_voters, voters_record
from fencepost.traces import ControlRecord, Snapshot, read_log, read_snapshot
from fencepost.traces.log_writer import file_bytes
from tests.cases import each

RECORDED = Path(__file__).resolve().parents[3] / "traces" / "recorded"
CHECKPOINT = "00000000000000000000-0000000000.checkpoint"


def contents(snapshot: Snapshot) -> list[list[tuple[str, object]]]:
    """Return what is in the batches of a checkpoint, times left out."""
    return [
        [
            (record.type, {} if record.type == "SnapshotHeader" else record.data)
            for record in batch.records
            if not isinstance(record, ControlRecord) or record.type
        ]
        for batch in snapshot.batches
    ]


@pytest.mark.parametrize(
    ("name", "is_dynamic"),
    [("suspects-4.4.0", False), ("elr-directory-fault-4.4.0", False), ("elr-index-fault-4.4.0", True)],
)
def test_a_checkpoint_of_kafka(name: str, is_dynamic: bool) -> None:
    """The checkpoint of a cluster that Kafka 4.4.0 formatted has the same batches and records as ours."""
    kafka = read_snapshot(RECORDED / name / CHECKPOINT)
    voters = None
    if is_dynamic:
        (of_kafka,) = [r.data for r in kafka.batches[0].records if getattr(r, "type", "") == "KRaftVoters"]
        voters = voters_record(
            parse_voters(
                ",".join(
                    f"{v['voterId']}@{v['endpoints'][0]['host']}:{v['endpoints'][0]['port']}:{v['voterDirectoryId']}"
                    for v in of_kafka["voters"]
                )
            ),
            "CONTROLLER",
        )
    levels = effective_levels(None, {}, is_dynamic)
    ours = build_bootstrap(
        bootstrap_records(levels),
        kraft_version=levels["kraft.version"],
        voters=voters,
        now_ms=kafka.batches[0].max_timestamp,
    )
    assert contents(ours) == contents(kafka)
    assert [batch.size for batch in ours.batches] == [batch.size for batch in kafka.batches]


@pytest.mark.parametrize(("name", "level"), [("first-boot", 30), ("reassignment", 30), ("kill-nine-elr", 30)])
def test_the_first_batch_of_a_log(name: str, level: int) -> None:
    """What a new cluster of 4.3 wrote between Begin and End are the bootstrap records of its release."""
    log = read_log(RECORDED / name)
    first = next(batch for batch in log.batches if not batch.is_control)
    written = [Message(r.type, r.version, r.data) for r in first.metadata_records if r.type == "FEATURE_LEVEL_RECORD"]
    assert tuple(written) == bootstrap_records(effective_levels(level, {}, is_dynamic=True))


def test_where_the_records_are_read(tmp_path: Path) -> None:
    """The checkpoint first, the legacy file where the checkpoint has none, the latest release where neither is."""
    latest, source = read_bootstrap(tmp_path)
    assert (latest, source) == ((Message("FEATURE_LEVEL_RECORD", 0, {"name": "metadata.version", "featureLevel": 33}),),
                                "the latest metadata.version")  # fmt: skip
    old = bootstrap_records({"metadata.version": 21})
    legacy = tmp_path / "bootstrap.checkpoint"
    legacy.write_bytes(file_bytes(build_bootstrap(old, kraft_version=0, voters=None, now_ms=0).batches))
    write_bootstrap(tmp_path, build_bootstrap((), kraft_version=1, voters=None, now_ms=0))
    assert read_bootstrap(tmp_path) == (old, str(legacy))
    new = bootstrap_records({"metadata.version": 33, "group.version": 1})
    path = write_bootstrap(tmp_path, build_bootstrap(new, kraft_version=1, voters=None, now_ms=0))
    assert read_bootstrap(tmp_path) == (new, str(path))


def test_records_that_begin_nothing(tmp_path: Path) -> None:
    """Records that set no metadata.version, and a file that is no checkpoint, are refused."""
    path = write_bootstrap(
        tmp_path, build_bootstrap([Message("NO_OP_RECORD", 0, {})], kraft_version=0, voters=None, now_ms=0)
    )
    with pytest.raises(StorageError, match=r"no record sets metadata\.version"):
        read_bootstrap(tmp_path)
    path.write_bytes(b"hello, this is no checkpoint at all")
    with pytest.raises(StorageError, match="no Kafka record batch"):
        read_bootstrap(tmp_path)


class NoRandom:
    """A source that must not be asked."""

    def getrandbits(self, k: int) -> int:
        """Fail."""
        raise AssertionError(k)


@pytest.mark.parametrize(
    ("argument", "data"),
    [
        (
            'SCRAM-SHA-256=[name=alice,iterations=8192,salt="MWx2NHBkbnc0ZndxN25vdGN4bTB5eTFrN3E=",password=alice]',
            {
                "name": "alice",
                "mechanism": 1,
                "salt": "MWx2NHBkbnc0ZndxN25vdGN4bTB5eTFrN3E=",
                "storedKey": "XTIqoHHo3sscdYxycL07uh8utmHn9fXtjqyDF67CjSU=",
                "serverKey": "Za53R2yENISN7fHL7WUxriFkV7cfbrO3+CtEptMbTPE=",
                "iterations": 8192,
            },
        ),
        (
            'SCRAM-SHA-512=[name=bob,salt="N3E=",saltedpassword="YCE="]',
            {
                "name": "bob",
                "mechanism": 2,
                "salt": "N3E=",
                "storedKey": "cXajSfkesuEdmelXMIE1FvL2RXPfwlrmGKyq6ai/1my6GnQBkALTiDfj8bysiAAVsysjd15xpW2sEiappLOxvQ==",
                "serverKey": "TGF8Dt3uWsZYXy+/UBt86VtHDWvwHxtUnCY8GKG1QG6muF9I08fZ3MQ0cupwRZ2uY6KK9INaZHi4OxHCDwYMBw==",
                "iterations": 4096,
            },
        ),
    ],
)
def test_credentials(argument: str, data: dict[str, object]) -> None:
    """A SCRAM credential becomes the record that Kafka 4.4.0 wrote for the same argument."""
    assert scram_record(argument, NoRandom()) == Message("USER_SCRAM_CREDENTIAL_RECORD", 0, data)


@each(
    ("argument", "part"),
    [
        ("SCRAM-SHA-1=[name=a,password=b]", "no mechanism SCRAM-SHA-1"),
        ("SCRAM-SHA-256=name=a", "no credential"),
        ("SCRAM-SHA-256=[password=secret]", "the user's name is missing"),
        ("SCRAM-SHA-256=[name=a]", "a password is missing"),
        ("SCRAM-SHA-256=[name=a,saltedpassword=YCE=]", "a password is missing"),
        ("SCRAM-SHA-256=[name=a,password=b,iterations=1]", "iterations=1: write"),
        ("SCRAM-SHA-256=[name=a,password=b,iterations=16385]", "iterations=16385: write"),
        ("SCRAM-SHA-256=[name=a,password=b,lamp=1]", "nothing is called lamp"),
        ("SCRAM-SHA-256=[name=a,password=b,salt=!]", "the salt is not base64"),
        ("SCRAM-SHA-256=[name=a,secret]", "no equals sign"),
    ],
)
def test_what_is_no_credential(argument: str, part: str) -> None:
    """A credential that Kafka does not take is refused, and its password is not repeated."""
    with pytest.raises(StorageError) as refused:
        scram_record(argument, NoRandom())
    assert part in str(refused.value)
    assert "secret]" not in str(refused.value).replace("password=secret]", "")
