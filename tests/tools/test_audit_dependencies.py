"""The audit tells vulnerable, clean and unchecked packages apart: the real pip-audit, a local service."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.support.requirements import HOST, free_port
from tools import audit_dependencies
from tools.audit_dependencies import main, parse_report

Json = dict[str, Any]
LOCK = (
    "django==5.2 \\\n    --hash=sha256:" + "0" * 64 + "\n"
    "redis==5.0.0 \\\n    --hash=sha256:" + "1" * 64 + "\n"
)  # fmt: skip
VULNERABILITY = {
    "id": "GHSA-test-1234",
    "modified": "2026-01-01T00:00:00Z",
    "published": "2026-01-01T00:00:00Z",
    "affected": [
        {
            "package": {"name": "django", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "5.2.1"}]}],
        }
    ],
}


@pytest.fixture
def lock(tmp_path: Path) -> str:
    (tmp_path / "requirements.lock").write_text(LOCK)
    return str(tmp_path / "requirements.lock")


ServeVulnerabilities = Callable[[Json], str]


@pytest.fixture
def osv(monkeypatch: pytest.MonkeyPatch) -> Iterator[ServeVulnerabilities]:
    """Return a function that starts a service with these vulnerabilities by package; only OSV is asked."""
    monkeypatch.setattr(audit_dependencies, "SERVICES", ("osv",))
    servers: list[ThreadingHTTPServer] = []

    def start(vulnerabilities: Json) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                query = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                found = vulnerabilities.get(query["package"]["name"])
                body = json.dumps({"vulns": [found]} if found else {}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        servers.append(ThreadingHTTPServer((HOST, 0), Handler))
        threading.Thread(target=servers[-1].serve_forever, daemon=True).start()
        return f"http://{HOST}:{servers[-1].server_address[1]}/v1/query"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def run(lock: str, url: str, folder: Path, *options: str) -> int:
    output = ["--output", str(folder / "sbom.json")]
    return main(["--lock", lock, *output, *options, "--osv-url", url, "--cache-dir", str(folder / "cache")])


def test_vulnerable_package_fails_and_is_named_with_its_fix(
    lock: str, osv: ServeVulnerabilities, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(lock, osv({"django": VULNERABILITY}), tmp_path) == 1
    assert "django 5.2: GHSA-test-1234 (fixed in 5.2.1)" in capsys.readouterr().out


def test_packages_without_vulnerabilities_pass(
    lock: str, osv: ServeVulnerabilities, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(lock, osv({}), tmp_path) == 0
    assert "no known vulnerabilities in 2 packages" in capsys.readouterr().out


@pytest.mark.parametrize(("options", "status"), (((), 0), (("--require-data",), 1)))
def test_unreachable_data_is_reported_as_not_checked(
    lock: str,
    osv: ServeVulnerabilities,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    options: tuple[str, ...],
    status: int,
) -> None:
    assert run(lock, f"http://{HOST}:{free_port()}/v1/query", tmp_path, *options) == status
    printed = capsys.readouterr().out
    assert "not checked: no vulnerability data reachable for any of 2 packages" in printed
    assert "no known vulnerabilities" not in printed


def test_packages_that_an_index_does_not_know_are_not_reported_as_clean() -> None:
    # What pip-audit prints for an index without vulnerability data, before "No known vulnerabilities found".
    skipped = {"name": "redis", "skip_reason": "Dependency not found on PyPI and could not be audited"}
    clean = {"name": "django", "version": "5.2", "vulns": []}
    assert parse_report({"dependencies": [skipped]}).report().startswith("not checked: no vulnerability data")
    assert parse_report({"dependencies": [skipped, clean]}).report() == "not checked: 1 of 2 packages (redis)"


def test_bill_of_materials_lists_every_package_of_the_service(tmp_path: Path) -> None:
    count = audit_dependencies.write_bill_of_materials("requirements.lock", tmp_path / "sbom.json")
    bill = json.loads((tmp_path / "sbom.json").read_text())
    names = {component["name"] for component in bill["components"]}
    assert bill["bomFormat"] == "CycloneDX"
    assert {"Django", "django"} & names
    assert {"celery", "granian", "numpy"} <= names
    locked = audit_dependencies.locked_packages((audit_dependencies.ROOT / "requirements.lock").read_text())
    assert count == len(locked)
