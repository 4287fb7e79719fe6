"""Reports of one JSON document: JUnit, SARIF, annotations, GCC's lines, Markdown, and HTML, which `html.py` writes.

`html.py` fills `templates`, with the runs of `lanes.py`, the counts of `heat.py`, and `single.py` for the document of
one engine.
"""

from .cases import Case, Moment, Problem, Report, Spot, report
from .gcc import gcc_lines
from .github import workflow_commands
from .junit import junit
from .markdown import markdown
from .sarif import sarif, sarif_text

__all__ = [
    "Case",
    "Moment",
    "Problem",
    "Report",
    "Spot",
    "gcc_lines",
    "junit",
    "markdown",
    "report",
    "sarif",
    "sarif_text",
    "workflow_commands",
]
