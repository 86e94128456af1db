"""Find the messages in Python code, templates, scripts and rule pages, for `tools/messages.py`."""

import ast
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parent.parent
SCRIPTS: Final = ROOT / "games" / "web" / "static" / "web"
SCRIPT_CATALOGUES: Final = SCRIPTS / "messages"
TEMPLATES: Final = ROOT / "games" / "web" / "templates"


class Message(NamedTuple):
    """A message of the sources: what gettext identifies it by."""

    text: str
    plural: str = ""
    context: str = ""


# Each message with the files that it is in, in the order in which it was found.
Messages = dict[Message, list[str]]


def extract() -> dict[str, Messages]:
    """Return the messages of each domain."""
    return {
        "django": _collect(_python_messages(), _template_messages(), _table_messages()),
        "djangojs": _collect(_script_messages(), _choice_messages()),
        "rules": _collect(_rule_messages()),
    }


def _collect(*sources: Iterable[tuple[Message, str]]) -> Messages:
    """Merge messages; one that is used with and without a plural is the same message."""
    found: Messages = {}
    for source in sources:
        for message, place in source:
            places = found.setdefault(message, [])
            if place not in places:
                places.append(place)
    plurals = {message.text for message in found if message.plural}
    return {
        message: places for message, places in found.items() if message.plural or message.text not in plurals
    }


def place_of(path: Path) -> str:
    """Return the path in the repository."""
    return path.relative_to(ROOT).as_posix()


# The functions that mark messages, with the positions of text, plural and context.
_FUNCTIONS: Final = {
    "_": (0, None, None), "N_": (0, None, None), "gettext": (0, None, None), "gettext_lazy": (0, None, None),
    "message": (0, None, None), "ngettext": (0, 1, None), "ngettext_lazy": (0, 1, None),
    "pgettext": (1, None, 0), "pgettext_lazy": (1, None, 0),
}  # fmt: skip
# The errors of the engine, whose sentences the gateway translates.
_ENGINE_ERRORS: Final = {
    "Refused": (1, None, None), "Malformed": (1, None, None), "_refused": (0, None, None),
    "_outside": (0, None, None),
}  # fmt: skip
# What the API returns as data, and not as an error.
_ENGINE_WITHOUT_ERRORS: Final = ("records", "ai", "replay", "views")


def _python_messages() -> Iterator[tuple[Message, str]]:
    for folder in ("games", "haggis_service"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield from _calls(path, _FUNCTIONS)
    for path in sorted((ROOT / "engine").rglob("*.py")):
        if path.relative_to(ROOT / "engine").parts[0].removesuffix(".py") not in _ENGINE_WITHOUT_ERRORS:
            yield from _calls(path, _ENGINE_ERRORS)
            yield from _details(path)


def _calls(
    path: Path, functions: Mapping[str, tuple[int, int | None, int | None]]
) -> Iterator[tuple[Message, str]]:
    """Yield the messages that are arguments of these functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions):
            continue
        text, plural, context = (
            _constant(node.args[at]) if at is not None and at < len(node.args) else ""
            for at in functions[node.func.id]
        )
        if text:
            yield Message(text, plural, context), place_of(path)


def _details(path: Path) -> Iterator[tuple[Message, str]]:
    """Yield the sentences that a module of the engine assigns to `detail` before it raises them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Assign) or ast.unparse(node.targets[0]) != "detail":
            continue
        if text := _constant(node.value):
            yield Message(text), place_of(path)


def _constant(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


_TRANSLATE_TAG: Final = re.compile(r'(?:translate|trans)\s+"([^"]+)"(?:.*\scontext\s+"([^"]+)")?')


def _template_messages() -> Iterator[tuple[Message, str]]:
    from django.template.base import Lexer, TokenType  # noqa: PLC0415 -- needs the settings

    for path in sorted(TEMPLATES.rglob("*.html")):
        block: list[str] | None = None
        for token in Lexer(path.read_text(encoding="utf-8")).tokenize():
            if token.token_type == TokenType.BLOCK and (tag := _TRANSLATE_TAG.match(token.contents)):
                yield Message(tag[1], context=tag[2] or ""), place_of(path)
            elif token.token_type == TokenType.BLOCK and token.contents.startswith("blocktranslate"):
                block = []
            elif token.token_type == TokenType.BLOCK and token.contents == "endblocktranslate":
                yield Message("".join(block or ())), place_of(path)
                block = None
            elif block is not None:
                is_variable = token.token_type == TokenType.VAR
                block.append(f"%({token.contents})s" if is_variable else token.contents)


def _table_messages() -> Iterator[tuple[Message, str]]:
    """Yield the constants that are translated where they are shown."""
    from engine.rulebook import Clause  # noqa: PLC0415 -- needs the settings
    from games.api.serializers import LIMIT_MESSAGES  # noqa: PLC0415 -- needs the settings
    from games.core.errors import CODES, FIELD_CODES  # noqa: PLC0415 -- needs the settings
    from games.gateway.agreement import rule_titles  # noqa: PLC0415 -- needs the settings

    for _, title in CODES.values():
        yield Message(title), "games/core/errors.py"
    for sentence in FIELD_CODES.values():
        yield Message(sentence), "games/core/errors.py"
    for sentence in sorted(LIMIT_MESSAGES):
        yield Message(sentence), "games/api/serializers.py"
    for clause in Clause:
        yield Message(clause.text), "engine/rulebook.py"
    for _, title in rule_titles():
        yield Message(title), "engine/rulesets"


def _choice_messages() -> Iterator[tuple[Message, str]]:
    """Yield the texts of the API that scripts translate: of rule sets, their options, and clocks."""
    from games.clock.queries import CLOCK_PRESETS  # noqa: PLC0415 -- needs the settings
    from games.gateway.agreement import describe_rule_sets  # noqa: PLC0415 -- needs the settings

    for rules in describe_rule_sets():
        yield Message(rules["title"]), "engine/rulesets"
        yield Message(rules["summary"]), "engine/rulesets"
        for option in rules["options"].values():
            yield Message(option["meaning"]), "engine/rulesets"
            for meaning in option["choices"].values():
                yield Message(meaning), "engine/rulesets"
    for clock in CLOCK_PRESETS:
        yield Message(clock.title), "games/clock"


def _rule_messages() -> Iterator[tuple[Message, str]]:
    from games.core.languages import ENGLISH  # noqa: PLC0415 -- needs the settings
    from games.gateway.agreement import rule_titles  # noqa: PLC0415 -- needs the settings
    from games.web.rule_pages import map_messages, rule_markdown  # noqa: PLC0415 -- needs the settings

    for key in ("", *(key for key, _ in rule_titles())):
        found: list[str] = []
        map_messages(rule_markdown(key, ENGLISH), lambda text, found=found: found.append(text) or text)  # type: ignore[misc]
        yield from ((Message(text), f"docs/rules/{key or 'README'}.md") for text in found)


# --- Scripts

_CALL: Final = re.compile(r"(?<![\w.$])(tn|tx|tc|t|msg)\(")
_STRING: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|`(?:[^`\\]|\\.)*`')
_COMMENT: Final = re.compile(r"/\*.*?\*/|^\s*//[^\n]*", re.DOTALL | re.MULTILINE)
_BEFORE_VALUE: Final = re.compile(r"(?:^|[?:(]|=>|\|\||\?\?|&&)\s*$")


def _script_messages() -> Iterator[tuple[Message, str]]:
    for path in sorted(SCRIPTS.rglob("*.js")):
        if path.parent != SCRIPT_CATALOGUES and path.name != "i18n.js":
            source = _COMMENT.sub("", path.read_text(encoding="utf-8"))
            for call in _CALL.finditer(source):
                yield from (
                    (message, place_of(path)) for message in _messages_of_call(call[1], source, call.end())
                )


def _messages_of_call(function: str, source: str, start: int) -> list[Message]:
    """Return the messages of a call; the first argument may choose between several literals."""
    arguments = _arguments(source, start)
    texts = _values(arguments[0]) if arguments else []
    if function == "tc":
        return [Message(text, context=texts[0]) for text in _values(arguments[1])]
    if function != "tn":
        return [Message(text) for text in texts]
    plurals = _values(arguments[1]) if len(arguments) > 1 else []
    return [Message(text, plural) for text, plural in zip(texts, plurals, strict=True)]


def _arguments(source: str, start: int) -> list[str]:
    """Return the source of each argument of a call whose parenthesis opens before `start`."""
    arguments, depth, begin, at = [], 0, start, start
    while at < len(source):
        if string := _STRING.match(source, at):
            at = string.end()
            continue
        character = source[at]
        if depth == 0 and character in ",)":
            arguments.append(source[begin:at])
            begin = at + 1
            if character == ")":
                break
        depth += (character in "([{") - (character in ")]}")
        at += 1
    return [argument for argument in arguments if argument.strip()]


def _values(argument: str) -> list[str]:
    """Return the strings that an argument can be: one literal, or the results of a condition."""
    values: list[str] = []
    joins = False
    end = 0
    for string in _STRING.finditer(argument):
        before = argument[end : string.start()]
        text = _unquoted(string[0])
        if joins and before.strip() == "+":
            values[-1] += text
        elif _BEFORE_VALUE.search(argument[: string.start()]):
            values.append(text)
            joins = True
        else:
            joins = False
        end = string.end()
    return values


def _unquoted(literal: str) -> str:
    if literal[0] == "`" and "${" in literal:
        raise SystemExit(f"A message must not be put together: {literal}")
    body = literal[1:-1].replace("\\\n", "")
    body = re.sub(r"\\(['`])", r"\1", body) if literal[0] != '"' else body
    body = body if literal[0] == '"' else body.replace('"', '\\"')
    text: str = json.loads('"' + body.replace("\n", "\\n") + '"')
    return text
