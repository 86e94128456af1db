"""The generators of the matrix: their options, and how to compile what they generate."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tools.build_clients import ROOT
from tools.generators import toolchain

PROGRAMS: Final = ROOT / "clients" / "openapi-generator"
# The command that plays a match; the URL of the server is appended.
Player = tuple[list[str], dict[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Generator:
    """A generator of openapi-generator.

    `properties` and `mappings` are options of openapi-generator; `compile_client` compiles the client in a
    folder, and `build_player` compiles a program that plays a match and returns the command to run it.
    """

    name: str
    language: str
    properties: tuple[str, ...]
    mappings: tuple[str, ...] = ()
    compile_client: Callable[[Path], None] | None = None
    build_player: Callable[[Path], Player] | None = None

    def options(self) -> list[str]:
        """Return the options of openapi-generator."""
        return [f"--additional-properties={','.join(self.properties)}", *self.mappings]


def generate(generator: Generator, document: Path, folder: Path) -> None:
    """Generate a client from a document."""
    shutil.rmtree(folder, ignore_errors=True)
    without = "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false"
    arguments = ["-i", str(document), "-g", generator.name, "-o", str(folder), "--global-property", without]
    toolchain.openapi_generator("generate", "-q", *arguments, *generator.options())


# --- Go ---


def _go(folder: Path, *arguments: str) -> None:
    """Run Go in the mode without modules, so that Debian's packages serve instead of downloads."""
    if not (toolchain.GO_LIBRARIES / "src" / "gopkg.in" / "validator.v2").exists():
        raise toolchain.MissingProgramError("golang-gopkg-validator.v2-dev is not installed")
    path = f"{folder.parent / 'gopath'}:{toolchain.GO_LIBRARIES}"
    toolchain.run([toolchain.program("go"), *arguments], folder, GOPATH=path, GO111MODULE="off", GOFLAGS="")


def _compile_go(folder: Path) -> None:
    package = folder.parent / "gopath" / "src" / "haggis"
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(folder, package)
    _go(folder, "build", "haggis")


def _play_go(folder: Path) -> Player:
    package = folder.parent / "gopath" / "src" / "play"
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(PROGRAMS / "go", package)
    _go(folder, "build", "-o", str(folder / "play"), "play")
    return [str(folder / "play")], {}


# --- Java ---


def _java_class_path(folder: Path) -> str:
    # The generator includes the same Jackson that its clients use.
    jars = [folder / "classes", toolchain.generator_jar(), toolchain.jakarta_jar()]
    return ":".join(str(each) for each in jars)


def _javac(folder: Path, sources: list[Path]) -> None:
    (folder / "classes").mkdir(exist_ok=True)
    command = [toolchain.program("javac"), "-nowarn", "-proc:none", "-d", "classes"]
    toolchain.run([*command, "-cp", _java_class_path(folder), *map(str, sources)], folder)


def _compile_java(folder: Path) -> None:
    _javac(folder, sorted((folder / "src" / "main").rglob("*.java")))


def _play_java(folder: Path) -> Player:
    _javac(folder, [PROGRAMS / "java" / "Play.java"])
    return [toolchain.program("java"), "-cp", _java_class_path(folder), "Play"], {}


# --- Kotlin ---


def _compile_kotlin(folder: Path) -> None:
    libraries = toolchain.node_package(*toolchain.KOTLIN) / "lib"
    jars = [*map(toolchain.maven_jar, toolchain.KOTLIN_LIBRARIES), *toolchain.serialization_jars()]
    class_path = ":".join(str(each) for each in [*jars, libraries / "kotlin-stdlib.jar"])
    command = [toolchain.program("java"), "-cp", f"{libraries}/*"]
    command += ["org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-no-stdlib", "-no-reflect", "-nowarn"]
    command += [f"-Xplugin={libraries / 'kotlinx-serialization-compiler-plugin.jar'}", "-cp", class_path]
    toolchain.run([*command, "-d", "haggis.jar", "src/main/kotlin"], folder)


# --- Python ---


def _compile_python(folder: Path) -> None:
    toolchain.run([str(toolchain.python()), "-c", "import haggis"], folder)
    toolchain.run([str(toolchain.python()), "-m", "mypy", "haggis"], folder)


def _play_python(folder: Path) -> Player:
    program = PROGRAMS / "python" / "play.py"
    toolchain.run([str(toolchain.python()), "-m", "mypy", str(program)], folder, MYPYPATH=str(folder))
    return [str(toolchain.python()), str(program)], {"PYTHONPATH": str(folder)}


# --- TypeScript ---


def _tsc(folder: Path, *arguments: str) -> None:
    toolchain.run([toolchain.node_program("tsc", *toolchain.TYPESCRIPT), *arguments], folder)


def _compile_typescript(folder: Path) -> None:
    _tsc(folder, "--project", ".", "--noEmit")


def _play_typescript(folder: Path) -> Player:
    shutil.copy(PROGRAMS / "typescript-fetch" / "play.ts", folder)
    options = ["--strict", "--target", "es2022", "--module", "commonjs", "--moduleResolution", "node"]
    _tsc(folder, *options, "--lib", "es2022,dom", "--outDir", "dist", "play.ts")
    return [toolchain.program("node"), str(folder / "dist" / "play.js")], {}


# `NewToken` is also the name of the function that creates a `Token`.
GO_NAMES: Final = (
    "NewToken=TokenWithSecret,NewWebhook=WebhookWithSecret,NewSecondFactor=SecondFactorWithCodes"
)

GENERATORS: Final = (
    Generator(
        name="kotlin",
        language="Kotlin",
        properties=(
            "packageName=haggis",
            "serializationLibrary=kotlinx_serialization",
            "enumPropertyNaming=UPPERCASE",
        ),
        mappings=(
            "--type-mappings=AnyType=JsonElement,object=JsonElement",
            "--import-mappings=JsonElement=kotlinx.serialization.json.JsonElement",
        ),
        compile_client=_compile_kotlin,
    ),
    Generator(name="dart-dio", language="Dart", properties=("pubName=haggis",)),
    Generator(
        name="go",
        language="Go",
        properties=("packageName=haggis", "enumClassPrefix=true", "useOneOfDiscriminatorLookup=true"),
        mappings=(f"--model-name-mappings={GO_NAMES}",),
        compile_client=_compile_go,
        build_player=_play_go,
    ),
    Generator(name="swift5", language="Swift", properties=("projectName=Haggis",)),
    Generator(
        name="java",
        language="Java",
        properties=(
            "library=native",
            "openApiNullable=false",
            "useJakartaEe=true",
            "invokerPackage=haggis",
            "apiPackage=haggis.api",
            "modelPackage=haggis.model",
        ),
        # The generated classes import `java.util.logging.Level`.
        mappings=("--model-name-mappings=Level=AiLevel",),
        compile_client=_compile_java,
        build_player=_play_java,
    ),
    Generator(
        name="python",
        language="Python",
        properties=("packageName=haggis",),
        compile_client=_compile_python,
        build_player=_play_python,
    ),
    Generator(
        name="typescript-fetch",
        language="TypeScript",
        properties=("npmName=haggis",),
        compile_client=_compile_typescript,
        build_player=_play_typescript,
    ),
)
