"""Methods of compiled classes are compared by their instructions, not by their place."""

import subprocess
import zipfile

import pytest

from fencepost.checkers.bench.published_jars import program
from fencepost.checkers.watch.bytecode import Method, classes_below, methods
from tests.kafka.published import QUICK, unavailable

pytestmark = pytest.mark.kafka

OLD = """package old.place;
import java.util.List;
import java.util.function.Function;
public class Manager {
    private final int limit = 3;
    private int check(int count) { if (count > limit) throw new IllegalStateException("too many"); return count; }
    public int create(List<Integer> wanted) { return wanted.stream().map(one -> check(one)).reduce(0, Integer::sum); }
    public String kind(int level) {
        switch (level) { case 1: return "one"; case 7: return "seven"; default: return "?"; }
    }
    public void close() { try { check(1); } catch (RuntimeException error) { System.out.println(error); } }
    static class Part { int size() { return 1; } }
}
"""
# Other numbers throughout: of constants, of lambdas, of instructions, and another package.
NEW = (
    OLD.replace("old.place", "fresh.place")
    .replace(
        "private final int limit = 3;",
        'static final String[] MORE = {"a", "b", "c"}; private final int limit = 3;\n'
        "    public Function<Integer, Integer> added(int by) { return one -> one + by + MORE.length; }",
    )
    .replace("too many", "far too many")
    .replace('case 7: return "seven"', 'case 8: return "eight"')
)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Method], dict[str, Method]]:
    """Return the methods of the class as it was, and as it is."""
    compiler = program("javac") or unavailable("needs a Java development kit (javac), which is not on the PATH")
    folder, packages = tmp_path_factory.mktemp("classes"), {"old/place": OLD, "fresh/place": NEW}
    for package, source in packages.items():
        (folder / package).mkdir(parents=True)
        (folder / package / "Manager.java").write_text(source, encoding="utf-8")
    sources = map(str, folder.rglob("Manager.java"))
    subprocess.run([compiler, *QUICK, "-d", str(folder), *sources], check=True, capture_output=True)
    jar = folder / "manager.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        for file in folder.rglob("*.class"):
            archive.write(file, file.relative_to(folder).as_posix())
    for package in packages:
        found = classes_below(jar, package)
        assert {name: sorted(paths) for name, paths in found.items()} == {
            "Manager": [f"{package}/Manager", f"{package}/Manager$Part"]
        }
    said = methods(jar, {f"{package}/Manager{part}" for package in packages for part in ("", "$Part")})
    return said["old/place/Manager"], said["fresh/place/Manager"]


def test_what_does_the_same_is_the_same(compiled: tuple[dict[str, Method], dict[str, Method]]) -> None:
    """A method is alike where lambdas, constants and members were added in front of it and its package was renamed."""
    old, new = compiled
    assert {name for name in old if old[name].lines == new[name].lines} == {"create", "close", "<init>"}
    assert set(new) - set(old) == {"added", "<clinit>"}


def test_what_does_something_else_is_another(compiled: tuple[dict[str, Method], dict[str, Method]]) -> None:
    """Another text of an error and another case of a switch are seen, each in its method alone."""
    old, new = compiled
    assert {name for name in old if old[name].lines != new[name].lines} == {"check", "kind"}
    assert [one for one in new["kind"].lines if one.startswith("case ")][1].startswith("case 8 ")


def test_a_lambda_belongs_to_the_method_that_has_it(compiled: tuple[dict[str, Method], dict[str, Method]]) -> None:
    """What a lambda calls is called by the method around it, and no lambda is a method of its own."""
    old, _ = compiled
    assert ("", "check") in old["create"].calls or ("old/place/Manager", "check") in old["create"].calls
    assert not [name for name in old if name.startswith("lambda$")]
