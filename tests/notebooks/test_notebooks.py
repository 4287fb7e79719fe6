"""The notebooks of docs/notebooks: each runs from its first cell to its last, and shows what is written in it."""

import pytest

from . import FOLDER, cells_of, compared, ran

NAMES = sorted(path.stem for path in FOLDER.glob("*.ipynb"))


def test_a_notebook_is_whole() -> None:
    """There is one for an operator, a designer, and Spark; cells have ids of their own, each code cell an output, but
    those that only define."""
    assert NAMES == ["designer", "operator", "spark"]
    for name in NAMES:
        cells = cells_of(FOLDER / f"{name}.ipynb")
        assert len({cell["id"] for cell in cells}) == len(cells)
        shown = [bool(cell["outputs"]) for cell in cells if cell["cell_type"] == "code"]
        assert sum(shown) >= len(shown) - 1
        text = (FOLDER / f"{name}.ipynb").read_text(encoding="utf-8")
        assert "Traceback" not in text


@pytest.mark.slow
@pytest.mark.nightly("tests/cli/test_api.py::test_answers_are_the_documents_of_the_commands")
@pytest.mark.parametrize(
    "name", [one if one != "spark" else pytest.param(one, marks=pytest.mark.spark) for one in NAMES]
)
def test_a_notebook_shows_what_is_written_in_it(name: str) -> None:
    """Each cell prints and shows the same again, seconds apart; `python -m tests.notebooks` writes what it shows."""
    cells = cells_of(FOLDER / f"{name}.ipynb")
    for cell, outputs in zip(cells, ran(cells), strict=True):
        assert compared(outputs) == compared(cell.get("outputs", [])), "".join(cell["source"])
