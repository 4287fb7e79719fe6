"""Java's properties files, and meta.properties in them."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.reference.kraft.storage import MetaProperties, StorageError, read_meta_properties, write_meta_properties
from fencepost.reference.kraft.storage.files import parse_properties, properties_text
from tests.cases import each, examples

NAMES = st.text(min_size=1)


@settings(max_examples=examples(100))
@given(st.dictionaries(NAMES, st.text()))
def test_properties_come_back(pairs: dict[str, str]) -> None:
    """Whatever names and values hold, the text reads back the same."""
    assert parse_properties(properties_text(pairs, 0)) == pairs


@each(
    ("text", "pairs"),
    [
        ("a=b", {"a": "b"}),
        ("  a : b ", {"a": "b "}),
        ("a b=c", {"a": "b=c"}),
        ("a", {"a": ""}),
        ("# x\n! y\n\n a=1\r\nb=2\rc=3", {"a": "1", "b": "2", "c": "3"}),
        ("a=1,\\\n   2", {"a": "1,2"}),
        ("a=x\\\\\nb=2", {"a": "x\\", "b": "2"}),
        ("a\\=b=\\u0041\\t.", {"a=b": "A\t."}),
        ("a=1\na=2", {"a": "2"}),
        ("a=1\\", {"a": "1"}),
    ],
)
def test_properties_as_java_reads_them(text: str, pairs: dict[str, str]) -> None:
    """Separators, comments, escapes and lines that go on are those of java.util.Properties."""
    assert parse_properties(text) == pairs


def test_the_file_is_kafkas(tmp_path: Path) -> None:
    """The file has the lines of one that Kafka wrote, in the same order, the time in the comment."""
    kafka = Path(__file__).parent / "recorded" / "controller-4.4.0"
    properties = read_meta_properties(kafka)
    assert properties == MetaProperties(1, "MkU3OEVBNTcwNTJENDM2Qg", 3000, properties.directory_id)
    path = write_meta_properties(tmp_path, properties, 0)
    written, original = path.read_text().splitlines(), (kafka / "meta.properties").read_text().splitlines()
    assert written[1] == "#Thu Jan 01 00:00:00 UTC 1970"
    assert written[:1] + written[2:] == original[:1] + original[2:]
    assert [name.name for name in tmp_path.iterdir()] == ["meta.properties"]


@given(
    st.builds(
        MetaProperties,
        version=st.just(1),
        cluster_id=st.text(),
        node_id=st.integers(0, 2**31 - 1),
        directory_id=st.none() | st.just("JEXY6aqzQY-32P5TStzaFg"),
    )
)
def test_version_1_comes_back(tmp_path_factory: pytest.TempPathFactory, properties: MetaProperties) -> None:
    """What is written is read again."""
    directory = tmp_path_factory.mktemp("disk")
    write_meta_properties(directory, properties, 1_795_290_269_318)
    assert read_meta_properties(directory) == properties


@pytest.mark.parametrize(
    ("text", "properties"),
    [
        ("broker.id=3", MetaProperties(0, None, 3, None)),
        ("version=0\ncluster.id=c\nbroker.id=3", MetaProperties(0, "c", 3, None)),
        ("version=0\nnode.id=3", MetaProperties(0, None, None, None)),
    ],
)
def test_version_0(tmp_path: Path, text: str, properties: MetaProperties) -> None:
    """Version 0, also where the version is not said, calls the node broker.id and may lack it and the cluster."""
    (tmp_path / "meta.properties").write_text(text)
    assert read_meta_properties(tmp_path) == properties


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("version=1\ncluster.id=c", "node.id is missing"),
        ("version=1\nnode.id=3", "cluster.id is missing"),
        ("version=1\nnode.id=x\ncluster.id=c", "node.id=x: write a whole number"),
        ("version=2\nnode.id=1\ncluster.id=c", "version=2: versions 0 and 1 are known"),
        ("version=1\nnode.id=3\ncluster.id=c\ndirectory.id=x", "directory.id: x is no uuid"),
    ],
)
def test_a_file_that_cannot_be_believed(tmp_path: Path, text: str, part: str) -> None:
    """A file that lacks what its version must have is refused by name."""
    (tmp_path / "meta.properties").write_text(text)
    with pytest.raises(StorageError) as refused:
        read_meta_properties(tmp_path)
    assert str(refused.value).startswith(f"{tmp_path / 'meta.properties'}: {part}")


def test_no_file(tmp_path: Path) -> None:
    """A directory without the file, and one that is not there, say nothing."""
    assert read_meta_properties(tmp_path) is None
    assert read_meta_properties(tmp_path / "nowhere") is None
