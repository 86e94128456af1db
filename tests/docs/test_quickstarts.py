"""The program of each quickstart plays a round on a real server."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.support.requirements import GSON
from tools.build_clients import ROOT, TYPESCRIPT, node_packages

SAMPLE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
KOTLIN_LIBRARY = "/usr/share/java/kotlin-stdlib.jar"

pytestmark = pytest.mark.timeout(300)


def program(language: str, *fences: str) -> str:
    """Return the code of a quickstart, all of which is in these languages."""
    page = (ROOT / "docs" / "quickstart" / f"{language}.md").read_text(encoding="utf-8")
    samples = SAMPLE.findall(page)
    assert {fence for fence, _ in samples} == set(fences)
    return "\n".join(code for _, code in samples)


def output_of(*command: str | Path, cwd: Path | None = None, **environment: str) -> str:
    done = subprocess.run(
        command, cwd=cwd, env=os.environ | environment, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


@pytest.mark.needs("jq")
def test_curl(site: str) -> None:
    printed = output_of("bash", "-euo", "pipefail", "-c", program("curl", "sh"), H=f"{site}/api/v1")
    assert '"type": "play"' in printed
    assert f'"type": "{site}/docs/errors/#not_found"' in printed


@pytest.mark.needs("go")
def test_go(site: str, tmp_path: Path) -> None:
    (tmp_path / "main.go").write_text(program("go", "go"), encoding="utf-8")
    caches = {"GOCACHE": str(tmp_path / "cache"), "GOFLAGS": "-mod=mod", "GO111MODULE": "off"}
    output_of("go", "vet", "main.go", cwd=tmp_path, **caches)
    assert output_of("go", "run", "main.go", site, cwd=tmp_path, **caches).startswith("finished [")


@pytest.mark.needs("kotlin")
def test_kotlin(site: str, tmp_path: Path) -> None:
    source, jar = tmp_path / "Quickstart.kt", tmp_path / "quickstart.jar"
    source.write_text(program("kotlin", "kotlin"), encoding="utf-8")
    output_of("kotlinc", "-nowarn", "-cp", GSON, source, "-d", jar)
    path = f"{jar}:{GSON}:{KOTLIN_LIBRARY}"
    assert output_of("java", "-cp", path, "QuickstartKt", site).startswith("finished [")


@pytest.mark.needs("node")
def test_typescript(site: str, tmp_path: Path) -> None:
    (tmp_path / "quickstart.ts").write_text(program("typescript", "ts"), encoding="utf-8")
    compiler = TYPESCRIPT / "node_modules" / ".bin" / "tsc"
    options = ["--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--module", "es2022"]
    with node_packages():
        output_of(compiler, *options, "--lib", "es2022,dom", tmp_path / "quickstart.ts")
    (tmp_path / "quickstart.js").rename(tmp_path / "quickstart.mjs")
    assert output_of("node", tmp_path / "quickstart.mjs", site).startswith("finished [")
