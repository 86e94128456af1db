"""The rules need only the standard library: they import without any installed package."""

import subprocess
import sys
from pathlib import Path

import engine

PACKAGE = Path(engine.__file__).parent
# The AI levels use numpy, and the environments gymnasium and pettingzoo, too.
NOT_RULES = ("engine.ai", "engine.env")


def modules_of_the_rules() -> list[str]:
    paths = (path.relative_to(PACKAGE.parent).with_suffix("") for path in PACKAGE.rglob("*.py"))
    names = (".".join(path.parts).removesuffix(".__init__") for path in paths)
    return sorted(name for name in names if not name.startswith(NOT_RULES))


def test_every_module_of_the_rules_imports_without_installed_packages() -> None:
    program = f"import sys; sys.path.insert(0, {str(PACKAGE.parent)!r})\n"
    program += "".join(f"import {name}\n" for name in modules_of_the_rules())
    bare = [sys.executable, "-I", "-S", "-W", "error", "-c", program]
    imported = subprocess.run(bare, capture_output=True, text=True, check=False)
    assert imported.returncode == 0, imported.stderr
