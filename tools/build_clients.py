"""Generate and check the clients: `make clients`. None of what is generated is committed."""

import argparse
import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
CONTRACT: Final = ROOT / "docs" / "openapi" / "haggis-3.1.json"
PYTHON: Final = ROOT / "clients" / "python"
TYPESCRIPT: Final = ROOT / "clients" / "typescript"

# Tools are found beside the running interpreter; Redocly sends no telemetry.
_ENVIRONMENT: Final = os.environ | {
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
    "REDOCLY_TELEMETRY": "off",
    "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true",
}


def run(command: list[str], folder: Path) -> None:
    """Run a command; show its output only if it fails."""
    completed = subprocess.run(
        command, cwd=folder, env=_ENVIRONMENT, check=False, capture_output=True, text=True
    )
    if completed.returncode:
        raise SystemExit(f"{' '.join(command)}\n{completed.stdout}{completed.stderr}")


def generate_python(target: Path = PYTHON / "haggis_client") -> None:
    """Generate the Python package from the contract, and add the modules that are written by hand."""
    shutil.rmtree(target, ignore_errors=True)
    command = ["openapi-python-client", "generate", "--path", str(CONTRACT), "--meta", "none"]
    command += [
        "--output-path",
        str(target),
        "--config",
        "config.yaml",
        "--custom-template-path",
        "templates",
    ]
    run([*command, "--fail-on-warning"], PYTHON)
    (target / "py.typed").touch()
    for module in sorted((PYTHON / "handwritten").glob("*.py")):
        shutil.copyfile(module, target / module.name)


def check_python() -> None:
    """Check the package and the example that uses it with mypy in strict mode."""
    run(["mypy", "--config-file", "pyproject.toml", "-p", "haggis_client"], PYTHON)
    run(["mypy", "--config-file", "pyproject.toml", "play.py"], PYTHON)


@contextmanager
def node_packages() -> Iterator[None]:
    """Install the npm packages of the lock, and lock the folder during the block."""
    with (TYPESCRIPT / "package.json").open(encoding="utf-8") as lock_file:
        fcntl.flock(lock_file, fcntl.LOCK_EX)
        if not (TYPESCRIPT / "node_modules" / ".package-lock.json").exists():
            run(["npm", "ci", "--no-audit", "--no-fund"], TYPESCRIPT)
        yield


def build_typescript() -> None:
    """Generate the types from the contract and compile the client in strict mode."""
    with node_packages():
        run(["npm", "run", "--silent", "build"], TYPESCRIPT)


def lint_contract() -> None:
    """Lint both versions of the contract with all rules."""
    with node_packages():
        run(["npm", "run", "--silent", "lint"], TYPESCRIPT)


def main() -> None:
    """Generate and check both clients, or only the named one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("python", "typescript"))
    only = parser.parse_args().only
    if only != "typescript":
        generate_python()
        check_python()
    if only != "python":
        build_typescript()


if __name__ == "__main__":
    main()
