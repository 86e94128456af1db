"""Collect published names from the source text by parsing it, independently of module and constant names.

A placeholder of an f-string is resolved if it refers to a constant of the module, and becomes `{}` otherwise.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent.parent
SERVICE: Final = ("games", "haggis_service")
PROGRAMS: Final = (*SERVICE, "engine", "tools", "examples", "clients", "benchmarks", "tests", "manage.py")
_SKIPPED: Final = frozenset({"migrations", "surface", "node_modules", "haggis_client", "build", "dist"})

# String literals that clients, stored data or other processes depend on, recognised by pattern.
PATTERNS: Final = {
    "colon-separated keys": re.compile(r"(?!admin:)[a-z_]+(:[a-z_{}*]*)+"),
    "haggis names": re.compile(r"haggis[-.:/][\w.:{}/-]*"),
    "identifier prefixes": re.compile(r"[a-z]{1,10}[-_](\{\})?"),
    "headers": re.compile(r"HTTP_[A-Z_]+|ETag|TTL|[A-Z]\w+(-[A-Z]\w*)+|webhook-(id|timestamp|signature)"),
    "media types": re.compile(r"(application|text|image)/[a-z.+-]+( ?;.*)?"),
    "URNs": re.compile(r"urn:.*"),
    "event stream frames": re.compile(r'(event: |:\n|\{"event").*', re.DOTALL),
    "advisory locks and notifications": re.compile(r".*(advisory|pg_notify|LISTEN ).*", re.DOTALL),
}
_VARIABLE: Final = re.compile(r"[A-Z][A-Z0-9]*(_([A-Z0-9]+|\{\}))*_?")
_SCRIPTS: Final = "games/**/*.js"
_PREFIXED: Final = re.compile(r"HAGGIS_.*[^_]$")
_READERS: Final = re.compile(r"\b(env|environ|environment|Env)\b|os\.getenv")


def python_files(*roots: str) -> Iterator[Path]:
    """Yield the Python files below these folders."""
    for root in roots:
        path = ROOT / root
        for each in [path] if path.is_file() else sorted(path.rglob("*.py")):
            if not _SKIPPED & set(each.relative_to(ROOT).parts):
                yield each


@cache
def parsed(path: Path) -> ast.Module:
    """Parse one file."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def constants(path: Path) -> dict[str, ast.expr]:
    """Return the expressions that a module assigns to names at its top level."""
    found: dict[str, ast.expr] = {}
    for statement in parsed(path).body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found[name] = value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                found[name] = value
            case _:
                pass
    return found


def text_of(node: ast.AST | None, path: Path) -> str | None:
    """Return the string value of an expression, or `None` if it cannot be resolved statically."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Constant(value=bytes(data)):
            return data.decode(errors="replace")
        case ast.Name(id=name) if name in constants(path):
            return text_of(constants(path)[name], path)
        case ast.FormattedValue(value=value):
            return text_of(value, path)
        case ast.JoinedStr(values=values):
            return "".join(text_of(each, path) or "{}" for each in values)
        case _:
            return None


def strings(*roots: str) -> set[str]:
    """Return all string literals below these folders, except docstrings and the parts of f-strings."""
    found: set[str] = set()
    for path in python_files(*roots):
        nodes = list(ast.walk(parsed(path)))
        excluded = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        excluded |= {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
        literals = [node for node in nodes if isinstance(node, (ast.Constant, ast.JoinedStr))]
        found |= {text for node in literals if id(node) not in excluded and (text := text_of(node, path))}
    return found


def literals() -> dict[str, list[str]]:
    """Return the string literals of the service and the engine that match a published pattern."""
    found = strings(*SERVICE, "engine")
    return {
        name: sorted(each for each in found if pattern.fullmatch(each)) for name, pattern in PATTERNS.items()
    }


def salts() -> list[str]:
    """Return the salts of signatures, tokens and digests."""
    found = set()
    for path in python_files(*SERVICE):
        for node in ast.walk(parsed(path)):
            match node:
                case ast.Call(args=[first, *_]) if _called(node) == "salted_hmac":
                    found.add(text_of(first, path))
                case ast.keyword(arg="salt" | "key_salt", value=value):
                    found.add(text_of(value, path))
                case ast.Assign(targets=[ast.Name(id="salt" | "key_salt")], value=value):
                    found.add(text_of(value, path))
                case _:
                    pass
    return sorted(text for text in found if text)


def _called(node: ast.Call) -> str:
    return ast.unparse(node.func).rpartition(".")[2]


def log_fields() -> list[str]:
    """Return the extra fields that log lines may contain."""
    return sorted(
        part.value
        for path in python_files(*SERVICE)
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.keyword) and node.arg == "allow"
        for part in ast.walk(constants(path).get(ast.unparse(node.value), node.value))
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    )


def first_arguments(*functions: str) -> list[str]:
    """Return the literal first arguments of all calls of these functions in the service."""
    return sorted(
        text
        for path in python_files(*SERVICE)
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and _called(node) in functions and node.args
        if (text := text_of(node.args[0], path))
    )


def variables() -> dict[str, list[str]]:
    """Return the environment variables that each part of the project uses."""
    found: dict[str, set[str]] = {}
    for path in python_files(*PROGRAMS):
        folder = path.relative_to(ROOT).parts[0]
        part = "service" if folder in SERVICE else folder
        for node in ast.walk(parsed(path)):
            name = text_of(_variable_read(node), path)
            if name is None and part == "service" and isinstance(node, (ast.Constant, ast.JoinedStr)):
                name = text_of(node, path) if _PREFIXED.match(text_of(node, path) or "") else None
            if name and _VARIABLE.fullmatch(name):
                found.setdefault(part, set()).add(name)
    return {part: sorted(names) for part, names in found.items()}


def _variable_read(node: ast.AST) -> ast.AST | None:
    """Return the expression that names the environment variable which this node reads."""
    match node:
        case ast.Call(func=function, args=[name, *_]) if _READERS.search(ast.unparse(function)):
            return name
        case ast.Subscript(value=mapping, slice=name) if _READERS.search(ast.unparse(mapping)):
            return name
        case ast.Compare(left=name, comparators=[mapping]) if _READERS.search(ast.unparse(mapping)):
            return name
        case _:
            return None


def matches(pattern: str, *files: str) -> list[str]:
    """Return all matches of a regular expression in the files that these glob patterns select."""
    texts = [each.read_text(encoding="utf-8") for file in files for each in sorted(ROOT.glob(file))]
    found = {each for text in texts for each in re.findall(pattern, text, re.MULTILINE)}
    return sorted(" ".join(each.split()) for each in found)


def deployment() -> dict[str, list[str]]:
    """Return the targets, variables, services and locations that deployments refer to."""
    variable = r"\$\{([A-Z][A-Z0-9_]*(?::?[-?][^}]*)?)\}"
    return {
        "make targets": matches(r"^([a-z-]+):.*## ", "Makefile"),
        "make variables": matches(r"^([A-Z]+ \?= ?[\w.]*)", "Makefile"),
        ".env.example": matches(r"^([A-Z_]+=.*)$", ".env.example"),
        "docker-compose.yml": matches(variable, "docker-compose.yml"),
        "services": matches(r"^  ([a-z-]+):\n    (?:<<|image)", "docker-compose.yml"),
        "commands": matches(r"command: \[([^]]*)\]", "docker-compose.yml"),
        "Dockerfile": matches(r"^(ARG \w+(?:=\S*)?)", "Dockerfile"),
        "proxy": matches(variable, "deploy/*"),
        "proxy locations": matches(r"^\s*(location [^{]*?)\s*\{", "deploy/*"),
    }


def browser() -> dict[str, list[str]]:
    """Return the names that the scripts of the web client store, send or listen for."""
    elements = set(matches(r"define\([\"'](haggis-[a-z-]+)[\"']", _SCRIPTS))
    named = set(matches(r"[\"'`](haggis[\w.:-]*)[\"'`]", _SCRIPTS))
    return {
        "custom elements": sorted(elements),
        "storage keys, channels and caches": sorted(named - elements),
        "storage interfaces": matches(
            r"\b(localStorage|sessionStorage|indexedDB|BroadcastChannel|caches\.open)\b", _SCRIPTS
        ),
        "events": matches(r"addEventListener\([\"'](\w+)[\"']", _SCRIPTS),
        "headers": matches(r"[\"']([A-Z][a-z]+(?:-[A-Z][a-z]+)+)[\"']", _SCRIPTS),
        "queries": matches(r"[?&]([a-z_]+)=", _SCRIPTS),
    }


def programs() -> dict[str, list[str]]:
    """Return the executable modules with their options and arguments."""
    return {
        str(path.relative_to(ROOT)): sorted(
            text
            for node in ast.walk(parsed(path))
            if isinstance(node, ast.Call) and _called(node) == "add_argument"
            for each in node.args
            if (text := text_of(each, path))
        )
        for path in python_files("haggis_service", "engine", "tools", "examples", "benchmarks", "manage.py")
        if '"__main__"' in path.read_text(encoding="utf-8")
    }
