"""Random small protocols, drawn from seeds, of which every engine must say the same: a differential test.

`pieces.py` is the text of a protocol as a tree that can be made smaller, `drawing.py` draws one from a seed, with
`terms.py`, `left_out.py` has what it does not draw,
`plain.py` searches it with the interpreter alone, by the words of `spec/steps.md`, and `comparing.py` asks the
engines and compares. `running.py` does so for many seeds, and prints a disagreement as a file; `putting_back.py` has
defects that engines once had, which a run must report.
"""
