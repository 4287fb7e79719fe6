"""The only vocabulary of the tables: kinds, terms, state, rows, records, tables, properties, protocols, and their plain interpreter.

`vocabulary.py` has the names that tables import by star. `nodes.py` has the terms, `operators.py` what every operator is in
Python, on a page and in TLA+,
`build.py` the functions that make them. `machines.py` and `lives.py` find state machines in rows: a transition is
drawn because the guard of a row allows it. A name that a table gives (`let`, definitions, procedures) is kept by
every engine: a symbol with an axiom for Z3, a temporary in compiled code, an operator in TLA+.
"""

from .effects import Stage, Written
from .errors import EvaluationError, Finding, Place, TableError
from .interpreter import Evaluation, Execution, RecordValue, Valuation, World, WrittenTwice, part, run, satisfying
from .kinds import EntityKind
from .nodes import Node
from .records import Field, Wire
from .render import markdown, protocol_text, sentence, text
from .state import Map, Map2, Map3, MapOf, Records, State
from .tables import Clue, Event
from .vocabulary import *

__all__ = [
    "AFTER_EVERY_RECORD", "ANY", "AT_RESULT_BOUNDARIES", "BOOL", "COMMITTED", "FALSE", "NONE", "TRUE", "Always",
    "Applied", "Assign", "Assumption", "Bound", "Clue", "Effect", "Entity", "EntityKind", "Evaluation",
    "EvaluationError", "Event", "Every", "Execution", "Field", "Finding", "Kind", "LeadsTo", "Map", "Map2", "Map3",
    "MapOf", "Node", "NotFor", "Only", "Place", "Procedure", "Property", "Protocol", "Record", "RecordValue",
    "Records", "Row", "Sometimes", "Stage", "State", "Step", "Table", "TableError", "Term", "Threshold", "Together",
    "Update", "Valuation", "Var", "Wire", "World", "Write", "Written", "WrittenTwice", "absent", "all_of", "always",
    "answering", "any_of", "ascending", "assume", "at_least", "beside", "cell", "constant", "counter", "declaring", "definition",
    "distance", "drop", "each", "else_", "empty", "event", "every", "exists", "first", "forall", "head", "helps",
    "individual", "just", "keep", "leads_to", "lemma", "lesser", "let", "list_of", "literal", "markdown", "max_of",
    "maybe", "members", "min_of", "next_", "nobody", "none_of", "not_for", "nothing", "number_of", "one_of", "only",
    "only_if", "optional", "parallel", "part", "part_of", "per", "per2", "per3", "per_all", "phases", "present",
    "procedure", "protocol", "protocol_text", "ranking", "record", "records_of", "repeats", "required", "result_step",
    "run", "said", "satisfying", "sentence", "set_of", "size_of", "some", "sometimes", "sort", "step", "table",
    "text", "then", "those", "threshold", "together", "when",
]  # fmt: skip
