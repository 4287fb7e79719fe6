"""The translator: printed functions, and the loops that stand in files, as text of LLVM's intermediate language.

What it takes is the little Python that the printer writes: 64-bit integers (a condition is 0 or 1), arrays that a
caller owns and their first parts, `for` over a range or an array, `while`, `if`, calls of functions that stand beside.
A call is translated for the types of its arguments. `peeked`, `claimed` and `added` (`loops.py`) are instructions that
no other thread comes between, `fetched` loads a line of the cache ahead, `invoke` calls an exported function by its
address. Anything else raises `NotTranslated`.
Nothing checks an index, a shift by more than 63 bits has no meaning, and arithmetic wraps around.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

BITS = {"int64": 64, "int32": 32, "uint32": 32, "int16": 16, "uint8": 8}
"""The bits of an element, by the name of an array's type."""

RESULTS = "results"
"""The parameter that every exported function has more: where it writes what it returns."""


FETCHING = "declare void @llvm.prefetch.p0(ptr, i32 immarg, i32 immarg, i32 immarg)"


class NotTranslated(Exception):
    """A function has something that the translator does not know."""


@dataclass(frozen=True)
class Int:
    """A number: the name of a value or a literal; `wide` False for a condition of one bit."""

    text: str
    signed: bool = True
    wide: bool = True


@dataclass(frozen=True)
class Array:
    """An array: the type of its elements, where it is, how long it is in each direction."""

    element: str
    at: str
    sizes: tuple[str, ...]


Value: TypeAlias = Int | Array


@dataclass(frozen=True)
class Param:
    """The type of a parameter: a number for no dimensions, else an array."""

    dimensions: int = 0
    element: str = "int64"


@dataclass
class Slot:
    """Where a variable is kept, and what it always holds: a number, or an array of these sizes."""

    at: str
    signed: bool = True
    element: str = ""
    sizes: tuple[str, ...] = ()


ARITHMETIC = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
    ast.LShift: "shl",
}  # fmt: skip
COMPARED = {ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge"}
ORDERED = {"lt", "le", "gt", "ge"}


class Module:
    """A text of functions, and of tables of numbers; `beside` are the functions that may be called."""

    def __init__(self, beside: Mapping[str, ast.FunctionDef], tables: Mapping[str, Sequence[int]]) -> None:
        self.beside = beside
        self.constants: dict[str, Value] = {}
        self.parts: list[str] = []
        self._made: dict[tuple[Any, ...], str] = {}
        for name, values in tables.items():
            self.constants[name] = Array("int64", f"@{name}", (str(len(values)),))
            listed = ", ".join(f"i64 {one}" for one in values)
            self.parts.append(f"@{name} = internal constant [{len(values)} x i64] [{listed}]")

    def export(self, name: str, symbol: str, params: Sequence[Param]) -> str:
        """Return the whole text, with a function under a symbol that takes its arrays as places and sizes."""
        definition = self.beside[name]
        names = [one.arg for one in definition.args.args]
        if len(names) != len(params):
            raise NotTranslated(f"{name} takes {len(names)} arguments, and {len(params)} types are given")
        self._translate(definition, symbol, dict(zip(names, params, strict=True)), exported=True)
        return "\n".join(self.parts)

    def internal(self, name: str, given: Sequence[Value]) -> str:
        """Return the symbol of a function for arguments of such types, translated when it is first asked for."""
        params = tuple(Param(len(v.sizes), v.element) if isinstance(v, Array) else Param() for v in given)
        key = (name, params)
        if key not in self._made:
            self._made[key] = f"{name}.{len(self._made)}"
            definition = self.beside[name]
            names = [one.arg for one in definition.args.args]
            self._translate(definition, self._made[key], dict(zip(names, params, strict=True)), exported=False)
        return self._made[key]

    def _translate(self, definition: ast.FunctionDef, symbol: str, params: Mapping[str, Param], exported: bool) -> None:
        self.parts.append(_Function(self, exported).text(definition, symbol, params))


class _Function:
    def __init__(self, module: Module, exported: bool) -> None:
        self.module, self.exported = module, exported
        self.allocated: list[str] = []
        self.lines: list[str] = []
        self.slots: dict[str, Slot] = {}
        self.loops: list[tuple[str, str]] = []
        self.ended = False
        self._names = 0

    def text(self, definition: ast.FunctionDef, symbol: str, params: Mapping[str, Param]) -> str:
        listed = []
        alone = " noalias" if self.exported else ""
        for name, param in params.items():
            if not param.dimensions:
                listed.append(f"i64 %{name}")
                self._assign(name, Int(f"%{name}"))
                continue
            sizes = tuple(f"%{name}.{i}" for i in range(param.dimensions))
            listed += [f"ptr{alone} %{name}", *(f"i64 {one}" for one in sizes)]
            self._assign(name, Array(param.element, f"%{name}", sizes))
        if self.exported:
            listed.append(f"ptr noalias %{RESULTS}")
        self._body(definition.body)
        if not self.ended:
            self._end("ret void" if self.exported else "ret i64 0")
        head = f"define {'void' if self.exported else 'internal i64'} @{symbol}({', '.join(listed)}) nounwind {{"
        return "\n".join([head, "entry:", *self.allocated, *self.lines, "}"])

    # -- lines -----------------------------------------------------------------------------------------------------
    def _fresh(self) -> str:
        self._names += 1
        return f"%.{self._names}"

    def _labels(self, count: int) -> list[str]:
        return [self._fresh()[1:] for _ in range(count)]

    def _do(self, text: str) -> None:
        self.lines.append("  " + text)

    def _give(self, text: str) -> str:
        name = self._fresh()
        self.lines.append(f"  {name} = {text}")
        return name

    def _allocate(self, what: str) -> str:
        name = self._fresh()
        self.allocated.append(f"  {name} = alloca {what}")
        return name

    def _end(self, text: str) -> None:
        self._do(text)
        self.ended = True

    def _begin(self, label: str) -> None:
        """Begin a block; what comes before goes on there unless it ended."""
        if not self.ended:
            self._do(f"br label %{label}")
        self.lines.append(f"{label}:")
        self.ended = False

    # -- statements ------------------------------------------------------------------------------------------------
    def _body(self, body: Sequence[ast.stmt]) -> None:
        for one in body:
            if self.ended:
                return
            self._statement(one)

    def _statement(self, one: ast.stmt) -> None:
        match one:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                return
            case ast.Expr(value=value):
                self._value(value)
            case ast.Assign(targets=targets, value=value):
                found = self._value(value)
                for target in targets:
                    self._store(target, found)
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                self._assign(name, self._binary(op, self._read(name), self._int(value)))
            case ast.AugAssign(target=ast.Subscript() as target, op=op, value=value):
                self._store(target, self._binary(op, self._int(target), self._int(value)))
            case ast.If():
                self._if(one)
            case ast.For():
                self._for(one)
            case ast.While():
                self._while(one)
            case ast.Break():
                self._end(f"br label %{self.loops[-1][1]}")
            case ast.Continue():
                self._end(f"br label %{self.loops[-1][0]}")
            case ast.Return(value=value):
                self._return(value)
            case _:
                raise NotTranslated(f"a statement {ast.unparse(one)}")

    def _return(self, value: ast.expr | None) -> None:
        parts = [] if value is None else value.elts if isinstance(value, ast.Tuple) else [value]
        given = [self._wide(self._int(part)) for part in parts]
        if not self.exported:
            if len(given) > 1:
                raise NotTranslated("a function that is called gives several values")
            self._end(f"ret i64 {given[0].text if given else 0}")
            return
        for i, found in enumerate(given):
            self._do(f"store i64 {found.text}, ptr {self._give(f'getelementptr i64, ptr %{RESULTS}, i64 {i}')}")
        self._end("ret void")

    def _if(self, one: ast.If) -> None:
        if isinstance(one.test, ast.Constant):
            self._body(one.body if one.test.value else one.orelse)
            return
        then, otherwise, after = self._labels(3)
        self._jump(one.test, then, otherwise if one.orelse else after)
        self._begin(then)
        self._body(one.body)
        if one.orelse:
            if not self.ended:
                self._end(f"br label %{after}")
            self._begin(otherwise)
            self._body(one.orelse)
        self._begin(after)

    def _for(self, one: ast.For) -> None:
        assert isinstance(one.target, ast.Name)
        array: Array | None = None
        match one.iter:
            case ast.Call(func=ast.Name(id="range"), args=[stop]):
                low, high = Int("0"), self._wide(self._int(stop))
            case ast.Call(func=ast.Name(id="range"), args=[start, stop]):
                low, high = self._wide(self._int(start)), self._wide(self._int(stop))
            case listed:
                array = self._array(listed)
                low, high = Int("0"), Int(array.sizes[0])
        counter = self._allocate("i64")
        self._do(f"store i64 {low.text}, ptr {counter}")
        head, body, following, after = self._labels(4)
        self._begin(head)
        now = self._give(f"load i64, ptr {counter}")
        self._end(f"br i1 {self._give(f'icmp slt i64 {now}, {high.text}')}, label %{body}, label %{after}")
        self._begin(body)
        self._assign(one.target.id, Int(now) if array is None else self._load(array.element, array.at, now))
        self.loops.append((following, after))
        self._body(one.body)
        self.loops.pop()
        self._begin(following)
        self._do(f"store i64 {self._give(f'add nsw i64 {now}, 1')}, ptr {counter}")
        self._end(f"br label %{head}")
        self._begin(after)

    def _while(self, one: ast.While) -> None:
        head, body, after = self._labels(3)
        self._begin(head)
        self._jump(one.test, body, after)
        self._begin(body)
        self.loops.append((head, after))
        self._body(one.body)
        self.loops.pop()
        if not self.ended:
            self._end(f"br label %{head}")
        self._begin(after)

    # -- variables -------------------------------------------------------------------------------------------------
    def _assign(self, name: str, value: Value) -> None:
        slot = self.slots.get(name)
        if isinstance(value, Array):
            if slot is None:
                slot = self.slots[name] = Slot(self._allocate("ptr"), True, value.element, value.sizes)
            if (slot.element, slot.sizes) != (value.element, value.sizes):
                raise NotTranslated(f"{name} is not always of one type")
            self._do(f"store ptr {value.at}, ptr {slot.at}")
            return
        if slot is None:
            slot = self.slots[name] = Slot(self._allocate("i64"), value.signed)
        if slot.element:
            raise NotTranslated(f"{name} is not always of one type")
        self._do(f"store i64 {self._wide(value).text}, ptr {slot.at}")

    def _read(self, name: str) -> Value:
        slot = self.slots.get(name)
        if slot is None:
            if name not in self.module.constants:
                raise NotTranslated(f"{name} is read before it has a value")
            return self.module.constants[name]
        if slot.element:
            return Array(slot.element, self._give(f"load ptr, ptr {slot.at}"), slot.sizes)
        return Int(self._give(f"load i64, ptr {slot.at}"), slot.signed)

    def _store(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Name):
            self._assign(target.id, value)
            return
        assert isinstance(target, ast.Subscript)
        assert isinstance(value, Int)
        element, place = self._cell(target)
        text, bits = self._wide(value).text, BITS[element]
        if bits < 64:
            text = self._give(f"trunc i64 {text} to i{bits}")
        self._do(f"store i{bits} {text}, ptr {place}")

    def _cell(self, one: ast.Subscript) -> tuple[str, str]:
        """Return the type of an element and where it is."""
        array = self._array(one.value)
        keys = one.slice.elts if isinstance(one.slice, ast.Tuple) else [one.slice]
        if len(keys) != len(array.sizes):
            raise NotTranslated(f"a place {ast.unparse(one)}")
        at = self._wide(self._int(keys[0])).text
        for key, size in zip(keys[1:], array.sizes[1:], strict=True):
            at = self._give(f"mul nsw i64 {at}, {size}")
            at = self._give(f"add nsw i64 {at}, {self._wide(self._int(key)).text}")
        return array.element, self._give(f"getelementptr inbounds i{BITS[array.element]}, ptr {array.at}, i64 {at}")

    def _load(self, element: str, at: str, index: str) -> Int:
        return self._loaded(element, self._give(f"getelementptr inbounds i{BITS[element]}, ptr {at}, i64 {index}"))

    def _loaded(self, element: str, place: str) -> Int:
        bits = BITS[element]
        return self._widened(element, self._give(f"load i{bits}, ptr {place}"))

    def _widened(self, element: str, found: str) -> Int:
        bits = BITS[element]
        if bits < 64:
            found = self._give(f"{'zext' if element.startswith('u') else 'sext'} i{bits} {found} to i64")
        return Int(found)

    # -- expressions -----------------------------------------------------------------------------------------------
    def _wide(self, value: Int) -> Int:
        return value if value.wide else Int(self._give(f"zext i1 {value.text} to i64"))

    def _int(self, one: ast.expr) -> Int:
        found = self._value(one)
        if not isinstance(found, Int):
            raise NotTranslated(f"an array where a number is expected: {ast.unparse(one)}")
        return found

    def _array(self, one: ast.expr) -> Array:
        found = self._value(one)
        if not isinstance(found, Array):
            raise NotTranslated(f"a number where an array is expected: {ast.unparse(one)}")
        return found

    def _value(self, one: ast.expr) -> Value:
        match one:
            case ast.Constant(value=bool(value)):
                return Int("true" if value else "false", wide=False)
            case ast.Constant(value=int(value)):
                return Int(str(value))
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
                return Int(str(-value))
            case ast.Name(id=name):
                return self._read(name)
            case ast.BinOp(left=left, op=op, right=right):
                first = self._int(left)
                return self._binary(op, first, self._int(right))
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return Int(self._give(f"xor i64 {self._wide(self._int(operand)).text}, -1"))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Int(self._give(f"xor i1 {self._condition(operand)}, true"), wide=False)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._compare(op, self._int(left), self._int(right))
            case ast.IfExp() | ast.BoolOp():
                return self._chosen(one)
            case ast.Subscript(value=ast.Attribute(value=of, attr="shape"), slice=ast.Constant(value=int(which))):
                return Int(self._array(of).sizes[which])
            case ast.Subscript():
                return self._item(one)
            case ast.Call():
                return self._call(one)
        raise NotTranslated(f"an expression {ast.unparse(one)}")

    def _item(self, one: ast.Subscript) -> Value:
        array = self._array(one.value)
        if isinstance(one.slice, ast.Slice):
            if one.slice.lower is not None or one.slice.upper is None or one.slice.step is not None:
                raise NotTranslated(f"a part {ast.unparse(one)}")
            return Array(array.element, array.at, (self._wide(self._int(one.slice.upper)).text, *array.sizes[1:]))
        if len(array.sizes) == 2 and not isinstance(one.slice, ast.Tuple):
            at = self._give(f"mul nsw i64 {self._wide(self._int(one.slice)).text}, {array.sizes[1]}")
            place = self._give(f"getelementptr inbounds i{BITS[array.element]}, ptr {array.at}, i64 {at}")
            return Array(array.element, place, array.sizes[1:])
        return self._loaded(*self._cell(one))

    def _call(self, one: ast.Call) -> Value:
        match one:
            case ast.Call(func=ast.Name(id="len"), args=[of]):
                return Int(self._array(of).sizes[0])
            case ast.Call(func=ast.Attribute(value=ast.Name(id="np"), attr=("int64" | "uint64") as name), args=[of]):
                found = self._wide(self._int(of))
                return Int(_wrapped(found.text), signed=name == "int64")
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="np"), attr="empty"), args=[ast.Constant(value=int(size)), _]
            ):
                return Array("int64", self._allocate(f"[{size} x i64]"), (str(size),))
            case ast.Call(func=ast.Name(id="peeked" | "claimed" | "added" as name), args=[of, at, *rest]):
                return self._at_once(name, ast.Subscript(of, at), [self._wide(self._int(one)).text for one in rest])
            case ast.Call(func=ast.Name(id="fetched"), args=[of, at]):
                _, place = self._cell(ast.Subscript(of, at))
                if FETCHING not in self.module.parts:
                    self.module.parts.insert(0, FETCHING)
                self._do(f"call void @llvm.prefetch.p0(ptr {place}, i32 1, i32 3, i32 1)")
                return Int("0")
            case ast.Call(func=ast.Name(id="invoke"), args=[address, results, *listed]):
                place = self._give(f"inttoptr i64 {self._int(address).text} to ptr")
                texts = self._passed([self._value(argument) for argument in listed])
                self._do(f"call void {place}({', '.join([*texts, f'ptr {self._array(results).at}'])})")
                return Int("0")
            case ast.Call(func=ast.Name(id=name), args=listed) if name in self.module.beside:
                given = [self._value(argument) for argument in listed]
                symbol = self.module.internal(name, given)
                return Int(self._give(f"call i64 @{symbol}({', '.join(self._passed(given))})"))
        raise NotTranslated(f"a call {ast.unparse(one)}")

    def _passed(self, given: Sequence[Value]) -> list[str]:
        """Return the arguments of a call: an array as its place and sizes."""
        texts = []
        for value in given:
            if isinstance(value, Array):
                texts += [f"ptr {value.at}", *(f"i64 {size}" for size in value.sizes)]
            else:
                texts.append(f"i64 {self._wide(value).text}")
        return texts

    def _at_once(self, name: str, cell: ast.Subscript, given: Sequence[str]) -> Int:
        """Read, replace or add to a cell in one step that no other thread comes between."""
        element, place = self._cell(cell)
        bits = BITS[element]
        if bits < 64:
            given = [self._give(f"trunc i64 {text} to i{bits}") for text in given]
        if name == "peeked":
            found = self._give(f"load atomic i{bits}, ptr {place} acquire, align {bits // 8}")
        elif name == "claimed":
            old, new = given
            pair = self._give(f"cmpxchg ptr {place}, i{bits} {old}, i{bits} {new} acq_rel acquire")
            found = self._give(f"extractvalue {{ i{bits}, i1 }} {pair}, 0")
        else:
            found = self._give(f"atomicrmw add ptr {place}, i{bits} {given[0]} acq_rel")
        return self._widened(element, found)

    def _binary(self, op: ast.operator, left: Value, right: Value) -> Int:
        assert isinstance(left, Int)
        assert isinstance(right, Int)
        signed = left.signed and right.signed
        if not left.wide and not right.wide and isinstance(op, (ast.BitAnd, ast.BitOr)):
            return Int(self._give(f"{ARITHMETIC[type(op)]} i1 {left.text}, {right.text}"), wide=False)
        one, other = self._wide(left).text, self._wide(right).text
        if isinstance(op, ast.RShift):
            return Int(self._give(f"{'ashr' if left.signed else 'lshr'} i64 {one}, {other}"), left.signed)
        if isinstance(op, (ast.FloorDiv, ast.Mod)):
            return self._divided(one, other, isinstance(op, ast.Mod))
        if type(op) not in ARITHMETIC:
            raise NotTranslated(f"an operator {op}")
        return Int(self._give(f"{ARITHMETIC[type(op)]} i64 {one}, {other}"), signed)

    def _divided(self, one: str, other: str, rest: bool) -> Int:
        """Divide towards minus infinity, as Python does."""
        left = self._give(f"srem i64 {one}, {other}")
        uneven = self._give(f"icmp ne i64 {left}, 0")
        apart = self._give(f"icmp slt i64 {self._give(f'xor i64 {left}, {other}')}, 0")
        lower = self._give(f"and i1 {uneven}, {apart}")
        if rest:
            return Int(self._give(f"select i1 {lower}, i64 {self._give(f'add i64 {left}, {other}')}, i64 {left}"))
        whole = self._give(f"sdiv i64 {one}, {other}")
        return Int(self._give(f"sub i64 {whole}, {self._wide(Int(lower, wide=False)).text}"))

    def _compare(self, op: ast.cmpop, left: Int, right: Int) -> Int:
        if type(op) not in COMPARED:
            raise NotTranslated(f"a comparison {op}")
        name = COMPARED[type(op)]
        if name in ORDERED:
            name = ("s" if left.signed and right.signed else "u") + name
        if not left.wide and right.text == "0" and name in {"eq", "ne"}:
            return Int(self._give(f"xor i1 {left.text}, true"), wide=False) if name == "eq" else left
        return Int(self._give(f"icmp {name} i64 {self._wide(left).text}, {self._wide(right).text}"), wide=False)

    def _chosen(self, one: ast.IfExp | ast.BoolOp) -> Int:
        """Return one of two values, of which the other is not computed."""
        place = self._allocate("i64")
        then, otherwise, after = self._labels(3)
        if isinstance(one, ast.IfExp):
            first, second = one.body, one.orelse
            self._jump(one.test, then, otherwise)
        else:
            first, second = ast.Constant(value=True), ast.Constant(value=False)
            self._jump(one, then, otherwise)
        for label, branch in ((then, first), (otherwise, second)):
            self._begin(label)
            self._do(f"store i64 {self._wide(self._int(branch)).text}, ptr {place}")
            self._end(f"br label %{after}")
        self._begin(after)
        return Int(self._give(f"load i64, ptr {place}"))

    def _condition(self, one: ast.expr) -> str:
        """Return a value of one bit: whether an expression is not 0."""
        found = self._int(one)
        return found.text if not found.wide else self._give(f"icmp ne i64 {found.text}, 0")

    def _jump(self, one: ast.expr, then: str, otherwise: str) -> None:
        """Go on in one of two blocks; `and` and `or` compute no more than they need."""
        match one:
            case ast.BoolOp(op=op, values=values):
                for value in values[:-1]:
                    [following] = self._labels(1)
                    self._jump(value, *((following, otherwise) if isinstance(op, ast.And) else (then, following)))
                    self._begin(following)
                self._jump(values[-1], then, otherwise)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self._jump(operand, otherwise, then)
            case ast.Constant(value=value):
                self._end(f"br label %{then if value else otherwise}")
            case _:
                self._end(f"br i1 {self._condition(one)}, label %{then}, label %{otherwise}")


def _wrapped(text: str) -> str:
    """Return a literal as LLVM takes it: one above the greatest signed number as the number with the same bits."""
    if text.startswith("%"):
        return text
    value = int(text)
    return str(value - (1 << 64)) if value >= 1 << 63 else text
