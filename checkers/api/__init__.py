"""The functions of the Python API that take names and paths as the commands do: each is what its command prints.

`conforming.py`, `health.py`, `story.py`, `causes.py`, `redacting.py` have what is asked of a log, with what they take
in `given.py` and their results in `answers.py`; `designs.py` has what is asked of a variant.
"""
