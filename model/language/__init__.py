"""The only vocabulary of the tables: kinds, terms, state, rows, records, tables, properties, protocols, and their plain interpreter."""

from .bounds import Bound, NotFor, declaring, not_for
from .build import (
    absent,
    all_of,
    any_of,
    ascending,
    at_least,
    definition,
    drop,
    each,
    else_,
    empty,
    exists,
    first,
    forall,
    head,
    just,
    keep,
    lesser,
    let,
    literal,
    max_of,
    members,
    next_,
    nobody,
    none_of,
    nothing,
    only,
    present,
    repeats,
    size_of,
    some,
    then,
    those,
    when,
)
from .effects import (
    Applied,
    Assign,
    Effect,
    Every,
    Only,
    Procedure,
    Stage,
    Together,
    Update,
    Write,
    Written,
    every,
    only_if,
    procedure,
    together,
)
from .errors import Finding, Place, TableError
from .interpreter import Evaluation, EvaluationError, Execution, RecordValue, Valuation, World, part, run, satisfying
from .kinds import (
    BOOL,
    Entity,
    EntityKind,
    Kind,
    Threshold,
    beside,
    counter,
    list_of,
    maybe,
    one_of,
    set_of,
    sort,
    threshold,
)
from .properties import (
    AFTER_EVERY_RECORD,
    AT_RESULT_BOUNDARIES,
    COMMITTED,
    Always,
    Assumption,
    LeadsTo,
    Property,
    Sometimes,
    Step,
    always,
    assume,
    leads_to,
    lemma,
    sometimes,
    step,
)
from .protocol import Protocol, protocol
from .records import Field, Record, Wire, optional, parallel, record, required, said
from .render import markdown, protocol_text, sentence, text
from .state import ANY, NONE, Map, Map2, Map3, State, cell, constant, part_of, per, per2, per3
from .tables import Clue, Event, Row, Table, event, rows_but, table
from .terms import FALSE, TRUE, Node, Term, Var

__all__ = [
    "AFTER_EVERY_RECORD", "ANY", "AT_RESULT_BOUNDARIES", "BOOL", "COMMITTED", "FALSE", "NONE", "TRUE", "Always", "Applied",
    "Assign", "Assumption", "Bound", "Clue", "Effect", "Entity", "EntityKind", "Evaluation", "EvaluationError", "Event",
    "Every", "Execution", "Field", "Finding", "Kind", "LeadsTo", "Map", "Map2", "Map3", "Node", "NotFor", "Only", "Place", "Procedure",
    "Property", "Protocol", "Record", "RecordValue", "Row", "Sometimes", "Stage", "State", "Step", "Table", "TableError",
    "Term", "Threshold", "Together", "Update", "Valuation", "Var", "Wire", "World", "Write", "Written", "absent", "all_of", "always",
    "any_of", "ascending", "assume", "at_least", "beside", "cell", "constant", "counter", "declaring", "definition", "drop", "each", "else_", "empty", "event",
    "every", "exists", "first", "forall", "head", "just", "keep", "leads_to", "lemma", "lesser", "let", "list_of",
    "literal", "markdown", "max_of", "maybe", "members", "next_", "nobody", "none_of", "not_for", "nothing", "one_of", "only",
    "only_if", "optional", "parallel", "part", "part_of", "per", "per2", "per3", "present", "procedure", "protocol", "protocol_text", "record", "repeats",
    "required", "rows_but", "run", "said", "satisfying", "sentence", "set_of", "size_of", "some", "sometimes", "sort", "step", "table",
    "text", "then", "those", "threshold", "together", "when",
]  # fmt: skip
