"""The programs that generate and compile clients, installed in build/generators."""

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

from tools.build_clients import ROOT

FOLDER: Final = ROOT / "build" / "generators"
ENVIRONMENT: Final = FOLDER / "environment"
NODE: Final = FOLDER / "node"

PYTHON_PACKAGES: Final = (
    "openapi-generator-cli==7.26.0",
    "mypy",
    "pydantic>=2.11",
    "python-dateutil",
    "types-python-dateutil",
    "urllib3>=2.7",
)
LINTERS: Final = ("@redocly/cli@2.77.0", "@stoplight/spectral-cli@6.16.3")
TYPESCRIPT: Final = ("openapi-typescript@7.13.0", "typescript@5.9.3")
KOTLIN: Final = ("kotlin-compiler@2.4.20",)
# Libraries that a generated client needs, as Maven coordinates.
KOTLIN_LIBRARIES: Final = (
    "com.squareup.okhttp3:okhttp:4.12.0",
    "com.squareup.okio:okio-jvm:3.6.0",
)
# The wheel contains the libraries of kotlinx.serialization, which fit the compiler from npm.
SERIALIZATION_WHEEL: Final = "kotlin-jupyter-kernel==0.19.0.944"
# Debian's libjakarta-annotation-api-java; Maven's coordinates of the same library.
JAKARTA: Final = Path("/usr/share/java/jakarta-annotation-api.jar")
JAKARTA_COORDINATES: Final = "jakarta.annotation:jakarta.annotation-api:2.1.1"
# Debian's golang-gopkg-validator.v2-dev, which the generated client for Go imports.
GO_LIBRARIES: Final = Path("/usr/share/gocode")
SECONDS: Final = 1_800

_ENVIRONMENT: Final = os.environ | {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}


class MissingProgramError(Exception):
    """A program or library that this machine does not have, and cannot download."""


class StepError(Exception):
    """A step that failed, with its output."""


def run(command: list[str], folder: Path, **variables: str) -> str:
    """Run a command and return its output."""
    completed = subprocess.run(
        command,
        cwd=folder,
        env=_ENVIRONMENT | variables,
        check=False,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    output = completed.stdout + completed.stderr
    if completed.returncode:
        raise StepError(f"{' '.join(command)[:300]}\n{output[-4000:]}")
    return output


def program(name: str) -> str:
    """Return the path of a program."""
    if found := shutil.which(name):
        return found
    raise MissingProgramError(f"{name} is not installed")


@contextmanager
def _one_process_at_a_time() -> Iterator[None]:
    """Wait until no other process installs anything: the processes of a test run share the folder."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@cache
def python() -> Path:
    """Return the interpreter of an environment with openapi-generator and what generated clients import."""
    with _one_process_at_a_time():
        return _install_python()


def _install_python() -> Path:
    interpreter = ENVIRONMENT / "bin" / "python"
    marker = ENVIRONMENT / "installed"
    if not marker.exists() or marker.read_text(encoding="utf-8") != " ".join(PYTHON_PACKAGES):
        run([sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT)], ROOT)
        _download([str(interpreter), "-m", "pip", "install", "--quiet", *PYTHON_PACKAGES], ROOT)
        marker.write_text(" ".join(PYTHON_PACKAGES), encoding="utf-8")
    return interpreter


def generator_jar() -> Path:
    """Return the jar of openapi-generator, which includes Jackson."""
    found = [*python().parent.parent.glob("lib/python*/site-packages/openapi_generator_cli/*.jar")]
    if not found:
        raise MissingProgramError("openapi-generator-cli contains no jar")
    return found[0]


def openapi_generator(*arguments: str) -> str:
    """Run openapi-generator."""
    return run([program("java"), "-jar", str(generator_jar()), *arguments], FOLDER)


@cache
def node_package(*packages: str) -> Path:
    """Install npm packages and return the folder of the first."""
    with _one_process_at_a_time():
        return _install_node_packages(packages)


def _install_node_packages(packages: tuple[str, ...]) -> Path:
    installed = [NODE / "node_modules" / each.rpartition("@")[0] for each in packages]
    if not all(each.exists() for each in installed):
        NODE.mkdir(parents=True, exist_ok=True)
        (NODE / "package.json").touch()
        if not (NODE / "package.json").read_text(encoding="utf-8"):
            (NODE / "package.json").write_text('{"private": true}\n', encoding="utf-8")
        _download([program("npm"), "install", "--no-audit", "--no-fund", "--ignore-scripts", *packages], NODE)
    return installed[0]


def node_program(name: str, *packages: str) -> str:
    """Return the path of a program of npm packages."""
    node_package(*packages)
    return str(NODE / "node_modules" / ".bin" / name)


def maven_jar(coordinates: str) -> Path:
    """Return a jar from the local Maven repository, which Maven downloads if necessary."""
    group, artifact, version = coordinates.split(":")
    folder = Path.home() / ".m2" / "repository" / Path(*group.split(".")) / artifact / version
    jar = folder / f"{artifact}-{version}.jar"
    if not jar.exists():
        _download([program("mvn"), "-q", "-B", "dependency:get", f"-Dartifact={coordinates}"], FOLDER)
    return jar


@cache
def serialization_jars() -> tuple[Path, ...]:
    """Return the libraries of kotlinx.serialization."""
    folder = FOLDER / "kotlin-serialization"
    if not folder.exists():
        command = [str(python()), "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder)]
        _download([*command, SERIALIZATION_WHEEL], FOLDER)
    return tuple(sorted(folder.glob("run_kotlin_kernel/jars/kotlinx-serialization-*.jar")))


def jakarta_jar() -> Path:
    """Return the library with the annotations of generated Java."""
    return JAKARTA if JAKARTA.exists() else maven_jar(JAKARTA_COORDINATES)


def _download(command: list[str], folder: Path) -> None:
    try:
        run(command, folder)
    except StepError as error:
        raise MissingProgramError(f"{command[-1]} cannot be downloaded") from error
