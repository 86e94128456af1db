"""The comparison of two pieces of code that differ by a refactoring.

Imports, docstrings and comments are ignored: names are compared by what they refer to. A local variable may
be renamed if the new names are as distinct as the old ones; any other name must be in the map.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from tools.refactoring.renames import Renames, module_name
from tools.refactoring.source_tree import Bindings, Module, Reference, SourceTree, bindings

_SHOWN: Final = 90
_DOTTED: Final = re.compile(r"[A-Za-z_]\w*(?:[.:][A-Za-z_]\w*)+\.?")
_MODULE_PATH: Final = re.compile(r"[\w/]+\.py")
# Functions whose string arguments are names of attributes or parameters.
_TAKE_NAMES: Final = {"getattr", "setattr", "hasattr", "delattr", "parametrize", "usefixtures", "cast"}
_ANNOTATIONS: Final = {"annotation", "returns"}
_IGNORED: Final = {"ctx", "type_comment", "kind", "type_params", "simple"}
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference: the function or class it is in, the lines, and what became what."""

    where: str
    old_line: int
    new_line: int
    text: str


@dataclass(slots=True)
class _Scope:
    """A function, class or comprehension of both versions, with the new name of each local variable."""

    kind: str
    old: Bindings
    new: Bindings
    renamed: dict[str, str] = field(default_factory=dict)
    origin: dict[str, str] = field(default_factory=dict)

    def copy(self) -> "_Scope":
        return _Scope(self.kind, self.old, self.new, dict(self.renamed), dict(self.origin))


class Comparison:
    """Compares definitions of an old and a new module, and collects `differences` and `unmapped` names."""

    def __init__(
        self, old: tuple[SourceTree, Module], new: tuple[SourceTree, Module], renames: Renames
    ) -> None:
        self.old_tree, self.old_module = old
        self.new_tree, self.new_module = new
        self.renames = renames
        self.differences: list[Difference] = []
        self.unmapped: Counter[tuple[str, str]] = Counter()
        self._scopes: list[_Scope] = []
        self._where: list[str] = []
        self._lines = (0, 0)
        self._in_annotation = False

    def equal(self, old: ast.AST, new: ast.AST) -> bool:
        """Return whether two nodes are equal, without recording differences."""
        trial = Comparison((self.old_tree, self.old_module), (self.new_tree, self.new_module), self.renames)
        trial._scopes = [scope.copy() for scope in self._scopes]
        trial.compare(old, new)
        return not trial.differences

    def compare(self, old: ast.AST, new: ast.AST) -> None:
        """Compare two nodes with everything in them."""
        self._lines = (getattr(old, "lineno", self._lines[0]), getattr(new, "lineno", self._lines[1]))
        references = self._reference(old, "old"), self._reference(new, "new")
        if references[0] is not None and references[1] is not None:
            if not self._same_reference(references[0], references[1]):
                self._report(old, new)
            return
        if type(old) is not type(new):
            self._report(old, new)
        elif isinstance(old, ast.Name) and isinstance(new, ast.Name):
            self._name(old.id, new.id, old, new)
        elif isinstance(old, ast.Constant) and isinstance(new, ast.Constant):
            self._constant(old, new)
        elif isinstance(old, _FUNCTIONS) and isinstance(new, _FUNCTIONS):
            self._function(old, new)
        elif isinstance(old, ast.ClassDef) and isinstance(new, ast.ClassDef):
            self._class(old, new)
        elif isinstance(old, _COMPREHENSIONS) and isinstance(new, _COMPREHENSIONS):
            targets = [bindings(*[each.target for each in node.generators]) for node in (old, new)]
            with self._scope("comprehension", targets[0], targets[1]):
                self._fields(old, new)
        elif isinstance(old, ast.Call) and isinstance(new, ast.Call) and _takes_names(old):
            self._call_with_names(old, new)
        else:
            self._fields(old, new)

    def _report(self, old: ast.AST, new: ast.AST) -> None:
        self._difference(f"{shown(old)}  became  {shown(new)}")

    def _difference(self, text: str) -> None:
        self.differences.append(Difference(".".join(self._where), *self._lines, text))

    # --- Names ----------------------------------------------------------------------------------------------

    def _reference(self, node: ast.AST, side: str) -> Reference | None:
        """Return what a name or a chain of attributes refers to outside its function, if it does."""
        attributes: list[str] = []
        while isinstance(node, ast.Attribute):
            attributes.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        dotted = self._dotted(node.id, side)
        tree = self.old_tree if side == "old" else self.new_tree
        return None if dotted is None else tree.locate(".".join([dotted, *reversed(attributes)]))

    def _dotted(self, name: str, side: str) -> str | None:
        """Return the dotted name that a plain name stands for; `None` for local variables and builtins."""
        for scope in self._visible():
            bound: Bindings = getattr(scope, side)
            if name in bound.imports:
                return bound.imports[name]
            if name in bound.names:
                return None
        module = self.old_module if side == "old" else self.new_module
        if name in module.bindings.imports:
            return module.bindings.imports[name]
        if name in module.bindings.names:
            return f"{module.name}.{name}"
        tree = self.old_tree if side == "old" else self.new_tree
        return f"{module.name}.{name}" if tree.locate(f"{module.name}.{name}").module != module.name else None

    def _visible(self) -> Iterator[_Scope]:
        """Yield the scopes that a name is looked up in: of the classes only the innermost scope."""
        for depth, scope in enumerate(reversed(self._scopes)):
            if scope.kind != "class" or depth == 0:
                yield scope

    def _same_reference(self, old: Reference, new: Reference) -> bool:
        if not old.module or not new.module:
            return old == new
        if old.name is None:
            return new.name is None and self.renames.module(old.module) == new.module
        module, names = self.renames.definition(old.module, old.name)
        if module != new.module or len(old.rest) != len(new.rest):
            return False
        if new.name not in names:
            self.unmapped[old.name, new.name or ""] += 1
            return False
        return all(self._same_identifier(*pair) for pair in zip(old.rest, new.rest, strict=True))

    def _same_identifier(self, old: str, new: str) -> bool:
        if self.renames.allows_identifier(old, new):
            return True
        self.unmapped[old, new] += 1
        return False

    def _identifier(self, old: str | None, new: str | None) -> None:
        if old is None or new is None:
            if old is not new:
                self._difference(f"{old}  became  {new}")
        elif not self._same_identifier(old, new):
            self._difference(f"name {old}  became  {new}")

    def _name(self, old: str, new: str, old_node: ast.AST, new_node: ast.AST) -> None:
        """Compare two names that refer to nothing outside their function."""
        for scope in self._visible():
            if (old in scope.old.names) != (new in scope.new.names):
                break
            if old in scope.old.names:
                self._local(scope, old, new)
                return
        else:
            if old == new:
                return
        self._report(old_node, new_node)

    def _local(self, scope: _Scope, old: str, new: str) -> None:
        if scope.kind == "class":
            self._identifier(old, new)
        elif scope.renamed.setdefault(old, new) != new or scope.origin.setdefault(new, old) != old:
            self._difference(f"variable {old}  became  {new}, which is another variable elsewhere")

    # --- Definitions ----------------------------------------------------------------------------------------

    @contextmanager
    def _scope(self, kind: str, old: Bindings, new: Bindings) -> Iterator[_Scope]:
        self._scopes.append(_Scope(kind, old, new))
        try:
            yield self._scopes[-1]
        finally:
            self._scopes.pop()

    @contextmanager
    def _inside(self, name: str) -> Iterator[None]:
        self._where.append(name)
        try:
            yield
        finally:
            self._where.pop()

    def _function(self, old: _Function, new: _Function) -> None:
        name = "lambda" if isinstance(old, ast.Lambda) else old.name
        with self._inside(name):
            for attribute in ("decorator_list", "returns"):
                self._field(attribute, getattr(old, attribute, None), getattr(new, attribute, None), old, new)
            for attribute in ("defaults", "kw_defaults"):
                self._field(attribute, getattr(old.args, attribute), getattr(new.args, attribute), old, new)
            self._name_of_definition(old, new)
            scopes = bindings(old.args, *_body(old)), bindings(new.args, *_body(new))
            self._annotations(_parameters(old.args), _parameters(new.args))
            with self._scope("function", *scopes) as scope:
                self._parameters(scope, old, new)
                self._field("body", old.body, new.body, old, new)

    def _name_of_definition(self, old: ast.AST, new: ast.AST) -> None:
        """Compare the names of methods and inner functions; the caller matches those of a module."""
        if self._scopes and not isinstance(old, ast.Lambda):
            self._local(self._scopes[-1], getattr(old, "name", ""), getattr(new, "name", ""))

    def _annotations(self, old: Sequence[ast.arg | None], new: Sequence[ast.arg | None]) -> None:
        for left, right in zip(old, new, strict=False):
            if left and right:
                self._field("annotation", left.annotation, right.annotation, left, right)

    def _parameters(self, scope: _Scope, old: _Function, new: _Function) -> None:
        kinds = [[len(node.args.posonlyargs), len(node.args.args)] for node in (old, new)]
        before, after = _parameters(old.args), _parameters(new.args)
        if kinds[0] != kinds[1] or [each is None for each in before] != [each is None for each in after]:
            self._difference(f"parameters ({ast.unparse(old.args)})  became  ({ast.unparse(new.args)})")
            return
        for left, right in zip(before, after, strict=True):
            if left and right:
                self._local(scope, left.arg, right.arg)
                if not isinstance(old, ast.Lambda):
                    self._identifier(left.arg, right.arg)

    def _class(self, old: ast.ClassDef, new: ast.ClassDef) -> None:
        with self._inside(old.name):
            for attribute in ("decorator_list", "bases", "keywords"):
                self._field(attribute, getattr(old, attribute), getattr(new, attribute), old, new)
            self._name_of_definition(old, new)
            with self._scope("class", bindings(*old.body), bindings(*new.body)):
                self._field("body", old.body, new.body, old, new)

    # --- Everything else ------------------------------------------------------------------------------------

    def _fields(self, old: ast.AST, new: ast.AST) -> None:
        for name in old._fields:
            if name not in _IGNORED:
                self._field(name, getattr(old, name, None), getattr(new, name, None), old, new)

    def _field(self, name: str, old: object, new: object, old_node: ast.AST, new_node: ast.AST) -> None:
        before, self._in_annotation = self._in_annotation, self._in_annotation or name in _ANNOTATIONS
        match old, new:
            case (ast.AST(), ast.AST()):
                self.compare(old, new)
            case (list(), list()):
                self._lists(_significant(old), _significant(new), old_node, new_node)
            case (str(), str()) if isinstance(old_node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
                self._name(old, new, old_node, new_node)
            case (str(), str()):
                self._identifier(old, new)
            case _ if old != new:
                self._report(old_node, new_node)
        self._in_annotation = before

    def _lists(self, old: list[object], new: list[object], old_node: ast.AST, new_node: ast.AST) -> None:
        statements = any(isinstance(each, ast.stmt) for each in [*old, *new])
        if len(old) != len(new) and not statements:
            self._report(old_node, new_node)
            return
        if len(old) != len(new):
            self._length(old, new)
            return
        for left, right in zip(old, new, strict=True):
            self._field("", left, right, old_node, new_node)

    def _length(self, old: list[object], new: list[object]) -> None:
        """Report the first statement that was added or removed."""
        before = [each for each in old if isinstance(each, ast.AST)]
        after = [each for each in new if isinstance(each, ast.AST)]
        shared = min(len(before), len(after))
        first = next((i for i in range(shared) if not self.equal(before[i], after[i])), shared)
        longer, verb = (before, "removed") if len(before) > len(after) else (after, "added")
        self._lines = (
            getattr(before[first], "lineno", 0) if first < len(before) else self._lines[0],
            getattr(after[first], "lineno", 0) if first < len(after) else self._lines[1],
        )
        self._difference(f"{len(before)} statements became {len(after)}; {verb} near: {shown(longer[first])}")

    def _constant(self, old: ast.Constant, new: ast.Constant) -> None:
        if type(old.value) is type(new.value) and old.value == new.value:
            return
        if isinstance(old.value, str) and isinstance(new.value, str):
            if self._in_annotation and self._same_annotation(old.value, new.value):
                return
            if self.renames.allows_string(old.value, new.value) or self._same_path(old.value, new.value):
                return
        self._report(old, new)

    def _same_annotation(self, old: str, new: str) -> bool:
        try:
            return self.equal(ast.parse(old, mode="eval").body, ast.parse(new, mode="eval").body)
        except SyntaxError:
            return False

    def _same_path(self, old: str, new: str) -> bool:
        """Return whether both strings name the same module, class or function."""
        if _MODULE_PATH.fullmatch(old) and _MODULE_PATH.fullmatch(new):
            return self.renames.module(module_name(old)) == module_name(new)
        if not (_DOTTED.fullmatch(old) and _DOTTED.fullmatch(new)):
            return False
        if re.sub(r"\w", "", old)[-1:] != re.sub(r"\w", "", new)[-1:]:
            return False
        found = [
            tree.locate(text.strip(".").replace(":", "."))
            for tree, text in ((self.old_tree, old), (self.new_tree, new))
        ]
        return bool(found[0].module) and self._same_reference(found[0], found[1])

    def _call_with_names(self, old: ast.Call, new: ast.Call) -> None:
        self.compare(old.func, new.func)
        self._lists(list(old.keywords), list(new.keywords), old, new)
        if len(old.args) != len(new.args):
            self._report(old, new)
            return
        count = 1 if _called_name(old) == "parametrize" else len(old.args)
        for index, (left, right) in enumerate(zip(old.args, new.args, strict=True)):
            if index >= count or not self._same_names(left, right):
                self.compare(left, right)

    def _same_names(self, old: ast.expr, new: ast.expr) -> bool:
        """Return whether the names in `"anna, bert"` or `("anna", "bert")` may have become others."""
        before, after = _names(old), _names(new)
        if not before or len(before) != len(after):
            return False
        return all(map(self.renames.allows_identifier, before, after))


def _names(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.split(r",\s*", node.value)
    if isinstance(node, ast.Tuple) and all(isinstance(each, ast.Constant) for each in node.elts):
        return [str(each.value) for each in node.elts if isinstance(each, ast.Constant)]
    return []


def _takes_names(call: ast.Call) -> bool:
    return _called_name(call) in _TAKE_NAMES


def _called_name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else str(getattr(call.func, "id", ""))


def _body(node: _Function) -> list[ast.AST]:
    return [node.body] if isinstance(node, ast.Lambda) else list(node.body)


def _parameters(arguments: ast.arguments) -> list[ast.arg | None]:
    positional = [*arguments.posonlyargs, *arguments.args]
    return [*positional, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]


def _significant(nodes: list[object]) -> list[object]:
    """Return the nodes without imports, docstrings and `pass`."""
    return [node for node in nodes if not is_insignificant(node)]


def is_insignificant(node: object) -> bool:
    """Return whether a statement is an import, a docstring or `pass`."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return isinstance(node.value.value, str)
    return isinstance(node, ast.Import | ast.ImportFrom | ast.Pass)


def shown(node: ast.AST) -> str:
    """Return the code of a node on one line, shortened."""
    text = " ".join(ast.unparse(node).split()) or type(node).__name__
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
