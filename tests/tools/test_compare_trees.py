"""`tools.compare_trees` accepts moves and renames and notices every change of behaviour."""

import subprocess
from pathlib import Path

import pytest

from tools.compare_trees import compare, main
from tools.refactoring.renames import InvalidMapError, Renames, read_renames
from tools.refactoring.source_tree import SourceTree

OLD = '''\
"""Tell who waits."""

import json
from app.cards import deck

LARGEST: int = 40


def tell(match: str, *, asked: int = 3) -> list[str]:
    """Tell them."""
    told = [each for each in deck(match) if len(each) < LARGEST]
    if asked:
        told.append(json.dumps(asked))
    return told


class Teller:
    """Who tells."""

    held: int = 0

    def tell(self, match: str) -> "list[str]":
        self.held += 1
        return tell(match, asked=self.held)
'''
NEW = '''\
from json import dumps as as_json

import app.table


class RedisPublisher:
    """Publishes matches."""

    locked: int = 0

    def publish(self, match: str) -> "list[str]":
        """Publish one match."""
        self.locked += 1
        return publish(match, requested=self.locked)


def publish(match: str, *, requested: int = 3) -> list[str]:
    messages = [message for message in app.table.deck(match) if len(message) < MAX_LENGTH]
    if requested:
        messages.append(as_json(requested))
    return messages


MAX_LENGTH: int = 40
'''
CARDS = "def deck(match: str) -> list[str]:\n    return [match]\n"
MAP = """\
# a comment
app.news\tapp.core.publish\ta note
app/cards.py\tapp/table.py
-\tapp/core/__init__.py\tnew package
app.news:tell\tpublish
app.news:Teller\tRedisPublisher
app.news:LARGEST\tMAX_LENGTH
tell\tpublish
asked\trequested
held\tlocked
"""


def renames(tmp_path: Path, text: str = "") -> Renames:
    path = tmp_path / "map.tsv"
    path.write_text(text)
    return read_renames([path])


def differences(old: dict[str, str], new: dict[str, str], known: Renames) -> dict[str, list[str]]:
    return compare(SourceTree(old.items()), SourceTree(new.items()), known).differences


def changes(before: str, after: str, known: Renames | None = None) -> dict[str, list[str]]:
    """Compare two versions of one module."""
    return differences({"app/news.py": before}, {"app/news.py": after}, known or Renames())


def test_moves_renames_imports_and_docstrings_are_accepted(tmp_path: Path) -> None:
    old = {"app/news.py": OLD, "app/cards.py": CARDS}
    new = {"app/core/publish.py": NEW, "app/table.py": CARDS, "app/core/__init__.py": '"""New."""\n'}
    assert not differences(old, new, renames(tmp_path, MAP))


@pytest.mark.parametrize(
    ("before", "after"),
    (
        ("x = 1", "x = 2"),
        ("x = 1", "x = True"),
        ('x = "cards of a hand"', 'x = "cards of one hand"'),
        ("def f(a):\n    return g(a)", "def f(a):\n    return h(a)"),
        ("def f(a):\n    return a.g()", "def f(a):\n    return a.h()"),
        ("def f(a):\n    a.g()\n    a.h()", "def f(a):\n    a.h()"),
        ("def f(a):\n    a.g()", "def f(a):\n    a.g()\n    a.h()"),
        ("def f(a):\n    if a:\n        a.g()", "def f(a):\n    if a:\n        pass"),
        ("def f(a, b):\n    return max(a, b)", "def f(a, b):\n    return max(b, a)"),
        ("def f(a, b): ...", "def f(b, a): ..."),
        ("def f(a): ...", "def f(a=None): ..."),
        ("def f(a): ...", "def f(*, a): ..."),
        ("def f(a): ...", "async def f(a): ..."),
        ("def f(a):\n    return a < 1", "def f(a):\n    return a <= 1"),
        ("@cache\ndef f(): ...", "def f(): ..."),
        ("class A(B): ...", "class A(C): ..."),
        ("class A:\n    x: int\n    y: int", "class A:\n    y: int\n    x: int"),
        ("call_first()\ncall_second()", "call_second()\ncall_first()"),
        ("call_first()", "call_first()\ncall_second()"),
        ("from a import f\n\nf()", "from b import f\n\nf()"),
        ("import a\n\na.f()", "import b as a\n\na.f()"),
        ('mark.parametrize("a", ("held",))', 'mark.parametrize("a", ("locked",))'),
        ("def f(): ...", ""),
        ("", "def f(): ..."),
    ),
)
def test_a_changed_module_is_reported(tmp_path: Path, before: str, after: str) -> None:
    assert changes(before, after, renames(tmp_path, MAP))


@pytest.mark.parametrize(
    ("before", "after"),
    (
        ("def f():\n    told = 1\n    return told", "def f():\n    sent = 1\n    return sent"),
        ("def f(a):\n    return [x for x in a]", "def f(a):\n    return [y for y in a]"),
        ("f = lambda x: x + 1", "f = lambda y: y + 1"),
        (
            "def f():\n    try:\n        pass\n    except E as a:\n        return a",
            "def f():\n    try:\n        pass\n    except E as b:\n        return b",
        ),
        ("def f(a):\n    match a:\n        case [x]:\n            return x",) * 2,
        ("def f():\n    from a import g\n    return g()", "from a import g\n\ndef f():\n    return g()"),
        ("import a.b\n\na.b.f()", "from a.b import f\n\nf()"),
        ("def test_so_it_is():\n    assert f()", "def test_f_is_true():\n    assert f()"),
        ("x = 1  # one", "x = 1"),
        ("def f():\n    '''Say it.'''", "def f():\n    pass"),
        ("x = 1\ny = 2", "y = 2\nx = 1"),
        ("__all__ = ['x']", "__all__ = ['y']"),
    ),
)
def test_local_names_imports_and_tests_may_change(before: str, after: str) -> None:
    assert not changes(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    (
        ("def f():\n    a = 1\n    b = 2\n    return a", "def f():\n    a = 1\n    b = 2\n    return b"),
        (
            "def f():\n    a = 1\n    b = 2\n    return a + b",
            "def f():\n    a = 1\n    a = 2\n    return a + a",
        ),
        ("def f():\n    a = 1\n    return g(a)", "def f():\n    g = 1\n    return g(g)"),
        ("def f(a):\n    return a", "def f(b):\n    return b"),
        ("class A:\n    def f(self): ...", "class A:\n    def g(self): ..."),
        ("def f(a):\n    return g(a=a)", "def f(a):\n    return g(b=a)"),
    ),
)
def test_a_name_that_is_taken_or_not_in_the_map_is_reported(before: str, after: str) -> None:
    assert changes(before, after)


def test_differences_are_reported_by_function_and_unmapped_names_are_listed() -> None:
    before = "class A:\n    def f(self):\n        return self.held\n\n\nX = 1\n"
    after = "class A:\n    def f(self):\n        return self.locked\n\n\nX = 2\n"
    old, new = (SourceTree([("app/news.py", text)]) for text in (before, after))
    report = compare(old, new, Renames())
    assert report.differences == {
        "app.news:A.f": ["line 3 -> 3: name held  became  locked"],
        "app.news:X": ["line 6 -> 6: 1  became  2"],
    }
    assert report.unmapped == {("held", "locked"): 1}


def test_several_modules_may_become_one(tmp_path: Path) -> None:
    known = renames(tmp_path, "app.a\tapp.both\napp.b\tapp.both\napp.b:_ROW\t_COLUMNS\n")
    old = {"app/a.py": "_ROW = 1\nstart(_ROW)\n", "app/b.py": "_ROW = 2\n\ndef f():\n    return _ROW\n"}
    both = "_ROW = 1\n_COLUMNS = 2\nstart(_ROW)\n\ndef f():\n    return "
    assert not differences(old, {"app/both.py": f"{both}_COLUMNS\n"}, known)
    assert differences(old, {"app/both.py": f"{both}_ROW\n"}, known) == {
        "app.b:f -> app.both:f": ["line 4 -> 6: _ROW  became  _ROW"]
    }
    assert differences(old, {"app/both.py": f"{both}_COLUMNS\nstop()\n"}, known)


def test_one_definition_may_move_alone_and_is_found_through_a_package_that_exports_it(tmp_path: Path) -> None:
    known = renames(tmp_path, "app.a:f\tapp.b:g\n")
    old = {"app/__init__.py": "from app.a import f\n", "app/a.py": "def f(): ...\n\ndef h(): ...\n"}
    new = {"app/a.py": "def h(): ...\n", "app/b.py": "def g(): ...\n"}
    old["app/c.py"] = "from app import f\n\nf()\n"
    assert not differences(old, new | {"app/c.py": "from app import b\n\nb.g()\n"}, known)
    assert differences(old, new | {"app/c.py": "from app import a\n\na.h()\n"}, known)


@pytest.mark.parametrize(
    ("before", "after"),
    (
        ('x = "app.news:Teller"', 'x = "app.core.publish:RedisPublisher"'),
        ('x = "app.news.tell"', 'x = "app.core.publish.publish"'),
        ('x = "app/news.py"', 'x = "app/core/publish.py"'),
        ('monkeypatch.setattr(x, "held", 1)', 'monkeypatch.setattr(x, "locked", 1)'),
        ('mark.parametrize(("held", "count"), [])', 'mark.parametrize(("locked", "count"), [])'),
        ('x: "Teller"', 'x: "RedisPublisher"'),
        ('x = "kept answers"', 'x = "cached responses"'),
    ),
)
def test_strings_that_name_moved_code_may_change(tmp_path: Path, before: str, after: str) -> None:
    known = renames(tmp_path, f'{MAP}"kept answers"\t"cached responses"\n')
    imports = "from app.news import Teller\n", "from app.core.publish import RedisPublisher\n"
    old = {"app/news.py": OLD, "app/cards.py": CARDS, "app/user.py": imports[0] + before}
    new = {"app/core/publish.py": NEW, "app/table.py": CARDS, "app/user.py": imports[1] + after}
    assert not differences(old, new, known)
    assert differences(old, new | {"app/user.py": imports[1] + after.replace("e", "a")}, known)


def test_a_map_line_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidMapError, match=r"map\.tsv:2: cannot read 'two words'"):
        renames(tmp_path, "# fine\ntwo words\tone\n")


def test_a_commit_is_compared_with_the_work_tree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repository = tmp_path / "repository"
    (repository / "app").mkdir(parents=True)
    git = ["git", "-C", str(repository), "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    (repository / "app" / "news.py").write_text(OLD)
    (repository / "app" / "cards.py").write_text(CARDS)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "--quiet", "--message", "Add news"], check=True)
    command = ["HEAD", "--repository", str(repository), "--map", str(tmp_path / "map.tsv")]

    (tmp_path / "map.tsv").write_text("")
    assert main(command) == 0
    assert main(["HEAD", *command]) == 0

    (tmp_path / "map.tsv").write_text(MAP)
    (repository / "app" / "core").mkdir()
    (repository / "app" / "news.py").rename(repository / "app" / "core" / "publish.py")
    (repository / "app" / "cards.py").rename(repository / "app" / "table.py")
    (repository / "app" / "core" / "publish.py").write_text(NEW)
    assert main(command) == 0
    assert capsys.readouterr().out.endswith("4 definitions compared, 0 differ.\n")

    (repository / "app" / "core" / "publish.py").write_text(NEW.replace("= 40", "= 41"))
    assert main(command) == 1
    assert "40  became  41" in capsys.readouterr().out
    assert main([*command, "--only", "app.cards"]) == 0
