"""The built packages work in empty environments: what users install is what is tested."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError

import pytest

from engine.version import VERSION
from tests.packages.environments import create_environment, install, pythons, run
from tests.support.requirements import free_port
from tools.packages import staging
from tools.packages.__main__ import create_compiler
from tools.packages.building import build_compiled_wheel

PROGRAMS = Path(__file__).with_name("programs")
START_SECONDS = 180
SAMPLE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MIN_SAMPLES = 5

pytestmark = [pytest.mark.needs("node"), pytest.mark.timeout(1200)]


@pytest.fixture(scope="module", params=pythons())
def environment(request: pytest.FixtureRequest, built: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Provide an environment of one Python in which all packages are installed."""
    python = create_environment(request.param, tmp_path_factory.mktemp("installed"))
    install(
        python,
        built,
        f"haggis-server=={VERSION}",
        f"haggis-client=={VERSION}",
        f"haggis-engine[rl]=={VERSION}",
    )
    return python


def test_installed_packages_play(environment: str, built: Path, tmp_path: Path) -> None:
    check_engine(environment, tmp_path, "pure")
    assert run([environment, str(PROGRAMS / "environment_smoke.py")], tmp_path).endswith("environment works")
    check_types(environment, tmp_path)
    with serving(environment, tmp_path) as site:
        check_site(site)
        played = run([environment, str(PROGRAMS / "play_match.py"), site], tmp_path)
        assert played.splitlines() == ["sync finished", "async finished"]
        check_npm(built, tmp_path / "node", site)
    haggis = str(Path(environment).with_name("haggis"))
    assert "no differences" in run([haggis, "verify_matches"], tmp_path)


@pytest.mark.parametrize("page", ("engine", "research"))
def test_samples_of_the_guides_run(environment: str, page: str, tmp_path: Path) -> None:
    """Run the Python samples of a page in order, as one program."""
    text = (staging.ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    samples = SAMPLE.findall(text)
    assert len(samples) >= MIN_SAMPLES
    program = tmp_path / "samples.py"
    program.write_text("\n".join(samples), encoding="utf-8")
    run([environment, str(program)], tmp_path)


@pytest.mark.needs("compiler")
@pytest.mark.parametrize("python", pythons())
def test_compiled_engine_plays(python: str, tmp_path: Path) -> None:
    stage = tmp_path / "engine"
    staging.stage_engine(stage)
    compiler = python if python == sys.executable else create_compiler(python, tmp_path)
    wheel = build_compiled_wheel(stage, tmp_path / "built", compiler)
    assert f"-{VERSION}-cp3" in wheel.name
    installed = create_environment(python, tmp_path / "installed")
    install(installed, tmp_path / "built", f"{wheel}[ai]")
    check_engine(installed, tmp_path, "compiled")


def check_engine(python: str, folder: Path, kind: str) -> None:
    """Play whole matches, and replay their records."""
    printed = run([python, str(PROGRAMS / "engine_smoke.py")], folder).splitlines()
    proven = "{'valid': True, 'deals': 'proven'} True"
    assert printed == [
        f"version {VERSION}, {kind}, haggis_engine",
        "squats False",
        f"classic {proven}",
        f"deluxe {proven}",
        "medium True",
    ]


def check_types(python: str, folder: Path) -> None:
    """Check programs that use the packages with mypy in strict mode."""
    programs = [str(PROGRAMS / "engine_smoke.py"), str(PROGRAMS / "play_match.py")]
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--python-executable", python]
    run([*command, f"--cache-dir={folder / 'mypy'}", *programs], folder)


def check_site(site: str) -> None:
    """Read a page, a static file that it names, the health and a translation."""
    page = read(f"{site}/")
    static = next(part.split('"')[0] for part in page.split('"/static/')[1:])
    assert read(f"{site}/static/{static}")
    assert read(f"{site}/healthz")
    assert "haggis-engine" in read(f"{site}/docs/engine/")
    assert is_ready(site)
    assert 'lang="de"' in read(f"{site}/", {"Accept-Language": "de"})
    assert '"id"' in read(f"{site}/api/v1/puzzles/next")


def is_ready(site: str) -> bool:
    """Return whether the service becomes ready: its worker and its clock have run."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        try:
            return bool(read(f"{site}/readyz"))
        except HTTPError:
            time.sleep(0.5)
    return False


def check_npm(built: Path, folder: Path, site: str) -> None:
    """Install the TypeScript client from its tarball and play a match."""
    folder.mkdir()
    shutil.copy(PROGRAMS / "play.mjs", folder)
    archive = built / f"haggis-client-{VERSION}.tgz"
    run(["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefer-offline", str(archive)], folder)
    assert run(["node", "play.mjs", site], folder) == "finished: table, then entry"


@contextmanager
def serving(python: str, folder: Path) -> Iterator[str]:
    """Run `haggis serve` in a folder, with its data in ./var; yield its URL."""
    port = free_port()
    passed_on = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    command = [str(Path(python).with_name("haggis")), "serve", "--port", str(port)]
    log = folder / "serve.log"
    with log.open("w") as output:
        settings = {"HAGGIS_AI_WAIT_SECONDS": "0"}
        process = subprocess.Popen(
            command, cwd=folder, env=passed_on | settings, stdout=output, stderr=output
        )
    try:
        deadline = time.monotonic() + START_SECONDS
        while "Haggis is running" not in log.read_text(encoding="utf-8"):
            assert process.poll() is None, log.read_text(encoding="utf-8")
            assert time.monotonic() < deadline, "the server did not start"
            time.sleep(0.2)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)
    assert (folder / "var" / "haggis.sqlite3").exists()


def read(url: str, headers: dict[str, str] | None = None) -> str:
    """Return the text of a page."""
    request = urllib.request.Request(url, headers=headers or {})  # noqa: S310 -- a local server
    with urllib.request.urlopen(request, timeout=60) as response:  # noqa: S310 -- as above
        return str(response.read().decode())
