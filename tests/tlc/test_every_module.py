"""The modules of every protocol, bound and variant: each is rendered, and TLA+ takes those of all tables."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from fencepost.checkers.tlc import find_jar, find_java, instances, render
from fencepost.checkers.tlc.configuration import configuration
from fencepost.checkers.tlc.names import fresh
from fencepost.checkers.tlc.run import outputs
from fencepost.model.findings import FINDINGS
from fencepost.model.matrix.families import VARIANTS
from fencepost.model.museum import MUSEUM
from fencepost.model.registry import FAMILIES, find
from fencepost.model.releases import MIGRATING_RELEASES, RELEASES

OTHERS = {
    base: [
        *(f"{base}+{one.name}" for one in MUSEUM if one.base == base),
        *(f"{base}+{variant}" for variant, families in VARIANTS.items() if base in families),
        *(f"{base}+{one.id}" for one in FINDINGS if base == "kraft"),
        *(f"{base}@{one}" for one in RELEASES if base == "kraft"),
        *(f"{base}@{one}+migration" for one in MIGRATING_RELEASES if base == "kraft"),
    ]
    for base in FAMILIES
}
"""The variants and releases of each protocol."""


FEW = ("kip343", "kip46", "kraft-data", "lease", "zk-data")
"""The protocols whose modules are rendered in every run; those of all take fourteen seconds."""


def render_all(name: str) -> set[str]:
    """Render the whole of a protocol and every slice, and return the names of the modules that its bounds have."""
    family = find(name)
    names = {render(family.whole, name).name}
    for one in {id(one): one for one in family.bounds.values()}.values():
        module = render(one)
        for bound, limits in one.bounds.items():
            config = configuration(module, bound)
            assert config.startswith("SPECIFICATION Spec\n")
            sizes = {line.split(" = ")[1] for line in config.split("CONSTANTS\n")[1].splitlines()}
            assert {str(size) for size in limits.sizes.values()} <= sizes
            names.add(fresh(f"{name}_{bound}", ()))
    assert len(names) == 1 + len(family.bounds)
    return names


@pytest.mark.representative("kip343 kip46 kraft-data lease zk-data")
@pytest.mark.parametrize("bases", [FEW, tuple(FAMILIES)], ids=" ".join)
def test_every_bound_of_every_protocol_has_a_module(bases: Sequence[str]) -> None:
    """All tables and each bound have a module of a name of its own, a bound also a configuration with its sizes."""
    names = [render_all(name) for name in bases]
    assert len(set.union(*names)) == sum(map(len, names))


@pytest.mark.representative("lease")
@pytest.mark.parametrize("base", FAMILIES)
def test_every_variant_has_modules(base: str) -> None:
    """Each variant of the museum, the matrix and the findings, and each release, has a module of each bound."""
    assert OTHERS[base]
    for name in OTHERS[base]:
        render_all(name)


def test_the_files_of_a_protocol() -> None:
    """The module of all tables, and a module and a configuration for each bound, by the names in their heads."""
    family = find("kip46+compares-brokers")
    made = dict(instances(family.name, family.whole, family.bounds))
    assert [*made] == ["", *family.bounds]
    files = {name: text for files in made.values() for name, text in files.items()}
    assert {name for name in files if name.endswith(".tla")} == {f"{name}.tla" for name in render_all(family.name)}
    for name, text in files.items():
        head = (
            "SPECIFICATION Spec" if name.endswith(".cfg") else f" MODULE {name.removesuffix('.tla')} ".center(80, "-")
        )
        assert text.partition("\n")[0] == head


@pytest.mark.nightly("tests/tlc/test_slices.py::test_tlc_counts_what_exploration_counts")
@pytest.mark.tlc
def test_tla_takes_the_modules_of_all_tables(tmp_path: Path) -> None:
    """The parser and the level checker of TLA+ take the module of the first slice of each protocol."""
    for family in FAMILIES.values():
        module = render(family.slices[0])
        (tmp_path / f"{module.name}.tla").write_text(module.text, encoding="utf-8")
    modules = sorted(path.name for path in tmp_path.iterdir())
    assert len(modules) == len(FAMILIES)
    command = [find_java(), "-cp", str(find_jar()), "tla2sany.SANY", *modules]
    said = outputs(command, str(tmp_path), Path(find_java()).parent, 600.0)
    assert said is not None
    for one in modules:
        assert f"Semantic processing of module {one.removesuffix('.tla')}\n" in said
    assert "rror" not in said
