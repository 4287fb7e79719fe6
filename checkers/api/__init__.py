"""The functions of the Python API that take names and paths as the commands do: each is what its command prints.

`conforming.py`, `health.py`, `story.py`, `causes.py`, `redacting.py` have the functions about a log, with their
arguments in `given.py` and their results in `answers.py`; `designs.py` has the functions about a variant.
"""
