"""Znode histories: read, written byte for byte, and replayed to the znodes that ZooKeeper had at the end."""

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from fencepost.traces import TraceError
from fencepost.traces.zk import (
    Operation,
    Transaction,
    Znode,
    ZnodeTree,
    read_znode_history,
    read_znodes,
    write_znode_history,
)
from fencepost.traces.zk.znodes import text_of
from tests.cases import each, examples

RECORDED = Path(__file__).resolve().parents[3] / "traces" / "recorded" / "zk"
RUNS = sorted(path for path in RECORDED.iterdir() if path.is_dir())
KILL_NINE = {"check": 220, "set": 200, "create": 90, "createSession": 15, "closeSession": 10}
HISTORY = "znode-history.ndjson.gz"
run = pytest.mark.parametrize("folder", RUNS, ids=lambda path: path.name)


@run
def test_a_history_is_written_byte_for_byte(folder: Path, tmp_path: Path) -> None:
    """What was read from a history is written to the same bytes."""
    write_znode_history(tmp_path / "copy", read_znode_history(folder / HISTORY))
    with gzip.open(folder / HISTORY) as packed:
        assert (tmp_path / "copy").read_bytes() == packed.read()


@run
def test_a_replay_ends_with_the_recorded_znodes(folder: Path) -> None:
    """The replay finds nothing that does not follow, and ends with every znode as ZooKeeper had it, and no other."""
    tree = ZnodeTree()
    assert tree.apply_all(read_znode_history(folder / HISTORY)) == []
    assert tree.nodes == read_znodes(folder / "final-znodes.json")


@run
def test_transactions_are_whole(folder: Path) -> None:
    """Operations of one zxid are one transaction with all of its parts; zxids rise; a failed one has not happened."""
    transactions = list(read_znode_history(folder / HISTORY))
    zxids = [one.zxid for one in transactions]
    assert zxids == sorted(set(zxids))
    assert all(one.is_whole for one in transactions)
    failed = [one for one in transactions if any(each.multi_failed for each in one.operations)]
    assert failed
    assert not any(one.happened for one in failed)


def test_operations_are_counted() -> None:
    """The run with kills has as many operations of each kind as were counted, those of failed multis apart."""
    transactions = list(read_znode_history(RECORDED / "kill-nine" / HISTORY))
    kinds = Counter(one.op for each in transactions for one in each.operations if one.happened)
    assert (len(transactions), kinds) == (500, KILL_NINE)


def test_a_condition_is_known() -> None:
    """A controller's write shows which version of /controller_epoch it asks for."""
    transactions = [one for one in read_znode_history(RECORDED / "first-boot" / HISTORY) if one.zxid in (34, 30, 33)]
    assert [one.checked("/controller_epoch") for one in transactions] == [1, None, 1]
    assert [one.happened for one in transactions] == [False, True, True]


OWNER, OTHER = "0x1", "0x2"


def done(zxid: int, *operations: Operation, session: str = OWNER) -> Transaction:
    """Return a transaction, its operations numbered where they are several."""
    several = len(operations) > 1 and all(one.op != "closeSession" for one in operations)
    numbered = (
        [Operation(**{**_fields(one), "multi": (n, len(operations))}) for n, one in enumerate(operations)]
        if several
        else operations
    )
    return Transaction(zxid, 1000 + zxid, session, 1, tuple(numbered), "h")


def _fields(one: Operation) -> dict[str, Any]:
    return {name: getattr(one, name) for name in Operation.__slots__}


def create(path: str, ephemeral: bool = False, version: int = 0) -> Operation:
    """Return the creation of a znode."""
    return Operation("create", path, version, None, True, ephemeral=ephemeral)


def written(path: str, version: int, data: Any = 1) -> Operation:
    """Return a write of a znode."""
    return Operation("set", path, version, data, True)


def checked(path: str, version: int) -> Operation:
    """Return a check of a znode's version."""
    return Operation("check", path, expected_version=version)


CLOSINGS = {
    "with paths": (Operation("closeSession", paths=("/b", "/c")),),
    "without paths": (Operation("closeSession"),),
    "with deletions": (Operation("delete", "/b"), Operation("delete", "/c"), Operation("closeSession")),
    "with deletions after": (Operation("closeSession"), Operation("delete", "/b"), Operation("delete", "/c")),
    "with both": (Operation("closeSession", paths=()), Operation("delete", "/b"), Operation("delete", "/c")),
}


@each("closing", CLOSINGS.values())
def test_a_closed_session_takes_its_ephemeral_znodes(closing: tuple[Operation, ...]) -> None:
    """Whether the closing names the znodes, leaves them out, or deletes them one by one: all of the session's go."""
    tree = ZnodeTree()
    before = [done(1, create("/a")), done(2, create("/b", True), create("/c", True))]
    assert tree.apply_all([*before, done(3, create("/d", True), session=OTHER), done(4, *closing)]) == []
    assert sorted(tree.nodes) == ["/", "/a", "/d"]
    assert tree.owned(OTHER) == ("/d",)


WRONG: list[tuple[str, tuple[Operation, ...], str]] = [
    ("a version skipped", (written("/a", 2),), "version 2 follows version 0"),
    ("a version repeated", (written("/a", 0),), "version 0 follows version 0"),
    ("a write of nothing", (written("/x", 1),), "written that does not exist"),
    ("created twice", (create("/a"),), "created that exists"),
    ("created with a version", (create("/x", version=3),), "created with version 3"),
    ("created in nothing", (create("/x/y"),), "whose parent does not exist"),
    ("deleted twice", (Operation("delete", "/x"),), "deleted that does not exist"),
    ("deleted with children", (Operation("delete", "/a"),), "deleted that has children"),
    ("a wrong check", (checked("/a", 1), written("/a", 1)), "version 1 was checked, and 0 is the znode's"),
    ("a check of nothing", (checked("/x", 1), written("/a", 1)), "checked of a znode that does not exist"),
    ("an ephemeral left", (Operation("closeSession", paths=()),), "leaves an ephemeral znode behind"),
    ("another's ephemeral", (Operation("closeSession", paths=("/e", "/a/b")),), "none of its own"),
    ("an operation not known", (Operation("reconfig"),), "the operation reconfig is not known"),
]


@each(("operations", "reason"), [one[1:] for one in WRONG])
def test_a_step_that_does_not_follow_is_told(operations: tuple[Operation, ...], reason: str) -> None:
    """Each kind of step that ZooKeeper cannot have made is found, with its znode and its transaction."""
    tree = ZnodeTree()
    assert tree.apply_all([done(1, create("/a")), done(2, create("/a/b")), done(3, create("/e", True))]) == []
    (found,) = tree.apply(done(4, *operations))
    assert reason in found.reason
    assert (found.zxid, found.place) == (4, "h:0")


def test_what_did_not_happen_changes_nothing() -> None:
    """Errors and failed multis leave the znodes as they are, and are no mismatch, whatever they say."""
    tree = ZnodeTree()
    failed = Operation("set", "/nowhere", 9, 1, True, multi=(0, 2), multi_failed=True)
    error = Operation("error", error=-101, error_name="NONODE", multi=(1, 2), multi_failed=True)
    alone = Operation("error", error=-110, error_name="NODEEXISTS")
    assert tree.apply_all([Transaction(1, 1, OWNER, 1, (failed, error)), done(2, alone)]) == []
    assert tree.nodes == ZnodeTree().nodes


def test_a_dropped_operation_and_a_lower_zxid_are_told() -> None:
    """A multi without one of its operations is not whole, and zxids rise."""
    whole = done(5, create("/a"), create("/b"))
    cut = Transaction(5, 1, OWNER, 1, whole.operations[:1], "h")
    reasons = [one.reason for one in ZnodeTree().apply_all([cut, done(5, create("/c"))])]
    assert reasons == ["operations of the multi are missing", "zxid 5 comes after 5"]


def test_a_check_of_any_version_holds() -> None:
    """ZooKeeper's version −1 asks for nothing but that the znode exists."""
    assert ZnodeTree({"/a": Znode(7, None, 1, 1, 1, 1)}).apply(done(9, checked("/a", -1), written("/a", 8))) == []


GOOD: dict[str, Any] = {
    "zxid": 1, "time_ms": 5, "session": "0x1", "writer": 1, "op": "set", "path": "/a", "version": 1, "data": {},
}  # fmt: skip


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", ":2: this line is no JSON object"),
        ("[]", ":2: this line is no JSON object"),
        ({**GOOD, "zxid": "1"}, ":2: the column `zxid` must be a whole number"),
        ({**GOOD, "version": True}, ":2: the column `version` must be a whole number"),
        ({**GOOD, "writer": "1"}, ":2: the column `writer` must be a broker's id or null"),
        ({**GOOD, "multi": "1"}, ":2: `multi` must be a number of how many"),
        ({**GOOD, "paths": "/a"}, ":2: the column `paths` must be a list"),
        ({key: GOOD[key] for key in GOOD if key != "session"}, ":2: the column `session` is missing"),
        ({key: GOOD[key] for key in GOOD if key != "op"}, ":2: the column `op` is missing"),
        ({key: GOOD[key] for key in GOOD if key != "version"}, ":2: the column `version` is missing"),
    ],
)
def test_a_wrong_line_is_one_sentence(line: Any, said: str, tmp_path: Path) -> None:
    """A line that is no operation is reported with file and line."""
    file = tmp_path / "znode-history.ndjson"
    texts = [json.dumps(GOOD), line if isinstance(line, str) else json.dumps(line)]
    file.write_text("\n".join(texts), encoding="utf-8")
    with pytest.raises(TraceError) as caught:
        list(read_znode_history(file))
    assert str(caught.value).startswith(f"{file}{said}")
    assert "\n" not in str(caught.value)


def test_files_that_are_no_history_are_one_sentence(tmp_path: Path) -> None:
    """A missing, an empty and a damaged file are reported by name; so is a file of znodes that is none."""
    file = tmp_path / "h.ndjson"
    with pytest.raises(TraceError, match="there is no such file"):
        list(read_znode_history(file))
    file.write_text("", encoding="utf-8")
    with pytest.raises(TraceError, match="holds no transaction"):
        list(read_znode_history(file))
    packed = tmp_path / "h.ndjson.gz"
    packed.write_bytes((RECORDED / "kill-nine" / HISTORY).read_bytes()[:-100])
    with pytest.raises(TraceError, match="cannot be read as NDJSON"):
        list(read_znode_history(packed))
    with pytest.raises(TraceError, match=r"give a final-znodes\.json"):
        read_znodes(tmp_path / "none.json")
    for content in ("{", "[]", '{"/a": {"version": 1}}', '{"/a": 1}'):
        file.write_text(content, encoding="utf-8")
        with pytest.raises(TraceError, match="is no JSON object of znodes"):
            read_znodes(file)


def test_what_is_not_known_is_kept(tmp_path: Path) -> None:
    """Columns and operations that are none of ours are read, and written again."""
    line = json.dumps({**GOOD, "op": "setACL", "aclVersion": 3}) + "\n"
    file = tmp_path / "h.ndjson"
    file.write_text(line, encoding="utf-8")
    (transaction,) = read_znode_history(file)
    assert transaction.operations[0].more == {"aclVersion": 3}
    assert text_of(transaction) == line


PATHS = some.from_regex(r"(/[a-z_]{1,6}){1,3}", fullmatch=True)
DATA = some.recursive(
    some.none() | some.integers() | some.text(max_size=5) | some.booleans(),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
VERSIONS = some.integers(0, 2**31 - 1)
OPERATIONS = some.one_of(
    some.builds(
        lambda path, version, data, ephemeral: Operation("create", path, version, data, True, ephemeral=ephemeral),
        PATHS, VERSIONS, DATA, some.booleans(),
    ),
    some.builds(lambda path, version, data: Operation("set", path, version, data, True), PATHS, VERSIONS, DATA),
    some.builds(lambda path: Operation("delete", path), PATHS),
    some.builds(lambda path, version: Operation("check", path, expected_version=version), PATHS, VERSIONS),
    some.builds(lambda failed: Operation("error", error=-101, error_name="X", multi_failed=failed), some.booleans()),
    some.builds(lambda ms: Operation("createSession", timeout_ms=ms), VERSIONS),
    some.builds(
        lambda paths: Operation("closeSession", paths=paths), some.none() | some.lists(PATHS, max_size=3).map(tuple)
    ),
)  # fmt: skip


@settings(max_examples=examples(100))
@given(some.lists(some.lists(OPERATIONS, min_size=1, max_size=3), min_size=1, max_size=4))
def test_any_history_is_read_as_it_was_written(tmp_path_factory: pytest.TempPathFactory, groups: Any) -> None:
    """Transactions of any operations are read back the same, but for the places they then have."""
    file = tmp_path_factory.mktemp("h") / "znode-history.ndjson"
    transactions = [done(zxid, *each) for zxid, each in enumerate(groups, 1)]
    write_znode_history(file, transactions)
    found = list(read_znode_history(file))
    assert [text_of(one) for one in found] == [text_of(one) for one in transactions]
    bare = [
        Transaction(
            one.zxid, one.time_ms, one.session, one.writer,
            tuple(Operation(**{**_fields(each), "line": 0}) for each in one.operations), "h",
        )
        for one in found
    ]  # fmt: skip
    assert bare == transactions
