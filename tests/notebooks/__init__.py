"""The notebooks of docs/notebooks: their cells run here, and what they show is written into them.

`python -m tests.notebooks` runs them and writes what they show.
"""

import ast
import contextlib
import io
import json
import re
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "notebooks"
MOVES = re.compile(r"\d+\.\d+(?: s\b|</td>|,)|seconds=[\d.]+|(?<=>)[\d.e-]+(?=</td>)")
"""What another run shows otherwise: seconds."""


def cells_of(path: Path) -> list[dict[str, Any]]:
    """Return the cells of a notebook."""
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return found


def ran(cells: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Run the code of the cells in one namespace, as a kernel does; return what each cell shows, none for a text.

    That is what it prints, and its last expression, as HTML where that has some.
    """
    space: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.chdir(FOLDER):
        return [_shown("".join(cell["source"]), space) if cell["cell_type"] == "code" else [] for cell in cells]


def _shown(source: str, space: dict[str, Any]) -> list[dict[str, Any]]:
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "<cell>", "exec"), space)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), space)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(True)})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(True)}
        if hasattr(value, "_repr_html_") and (html := value._repr_html_()) is not None:
            data["text/html"] = html.splitlines(True)
        outputs.append({"data": data, "execution_count": None, "metadata": {}, "output_type": "execute_result"})
    return outputs


def compared(outputs: list[dict[str, Any]]) -> str:
    """Return what a cell shows as text, without what another run shows otherwise."""
    return MOVES.sub("…", json.dumps(outputs, ensure_ascii=False))


def write(path: Path) -> None:
    """Run a notebook and write what it shows into it."""
    document = json.loads(path.read_text(encoding="utf-8"))
    for number, (cell, outputs) in enumerate(zip(document["cells"], ran(document["cells"]), strict=True), 1):
        cell["id"] = f"cell-{number}"
        if cell["cell_type"] == "code":
            cell["outputs"] = outputs
    path.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
