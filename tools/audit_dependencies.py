"""Look up the locked packages in databases of vulnerabilities, and write the bill of materials: `make audit`.

There are three results, since pip-audit itself reports "No known vulnerabilities found" when it could
not look up a single package: vulnerabilities (exit status 1), no vulnerabilities, and not checked. The last
one does not fail without `--require-data`, so CI without access to the internet says what it did not check.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
# Everything that is installed anywhere: the service, tests and builds.
AUDITED_LOCK: Final = "requirements-dev.lock"
# What an image with all options contains.
SERVICE_LOCK: Final = "requirements-push.lock"
BILL_OF_MATERIALS: Final = "build/haggis.cdx.json"
# Vulnerabilities that do not concern this project, by id, each with the reason.
IGNORED: Final[dict[str, str]] = {}
SERVICES: Final = ("pypi", "osv")
TIMEOUT_SECONDS: Final = 180


@dataclass(frozen=True)
class Audit:
    """What is known about the packages: how many were looked up, which were not, and what was found."""

    checked: int
    unchecked: tuple[str, ...]
    vulnerabilities: tuple[str, ...]

    def report(self) -> str:
        """Return the result in words.

        >>> print(Audit(0, ("django",), ()).report())
        not checked: no vulnerability data reachable for any of 1 package
        >>> print(Audit(2, (), ()).report())
        no known vulnerabilities in 2 packages
        """
        total = self.checked + len(self.unchecked)
        packages = f"{total} package{'s' * (total != 1)}"
        lines = list(self.vulnerabilities)
        if not self.checked:
            lines.append(f"not checked: no vulnerability data reachable for any of {packages}")
        elif self.unchecked:
            lines.append(f"not checked: {len(self.unchecked)} of {packages} ({', '.join(self.unchecked)})")
        if not lines:
            lines.append(f"no known vulnerabilities in {packages}")
        return "\n".join(lines)


def parse_report(report: dict[str, Any]) -> Audit:
    """Read the JSON of pip-audit; packages that it skipped were not checked."""
    dependencies = report["dependencies"]
    found = [
        f"{each['name']} {each['version']}: {fault['id']}"
        f" (fixed in {', '.join(fault['fix_versions']) or 'no release'})"
        for each in dependencies
        for fault in each.get("vulns", ())
    ]
    unchecked = sorted(each["name"] for each in dependencies if "skip_reason" in each)
    return Audit(len(dependencies) - len(unchecked), tuple(unchecked), tuple(found))


def audit(lock: str, options: Sequence[str]) -> Audit:
    """Return the first complete result of a service, or else the one with the most packages checked."""
    nothing = Audit(0, tuple(locked_packages((ROOT / lock).read_text(encoding="utf-8"))), ())
    results = [nothing]
    for service in SERVICES:
        result = _run_pip_audit(lock, service, options) or nothing
        if not result.unchecked:
            return result
        results.append(result)
    return max(results, key=lambda result: result.checked)


def locked_packages(lock: str) -> list[str]:
    """Return the names of the packages in a lock.

    >>> locked_packages("tzdata==2026.6 ; sys_platform == 'win32'")
    ['tzdata']
    """
    return [line.partition("==")[0] for line in lock.splitlines() if "==" in line and line[0].isalnum()]


def _run_pip_audit(lock: str, service: str, options: Sequence[str]) -> Audit | None:
    """Return the result of one service, or `None` if it cannot be reached."""
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--requirement", lock]
    command += ["--vulnerability-service", service, "--format", "json", "--progress-spinner", "off", *options]
    command += [part for each in IGNORED for part in ("--ignore-vuln", each)]
    try:
        completed = subprocess.run(
            command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=TIMEOUT_SECONDS
        )
        return parse_report(json.loads(completed.stdout))
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return None


def write_bill_of_materials(lock: str, path: Path) -> int:
    """Write the packages of a lock as CycloneDX; return their number."""
    path.parent.mkdir(parents=True, exist_ok=True)
    command = [str(Path(sys.executable).with_name("cyclonedx-py")), "requirements", lock]
    command += ["--output-reproducible", "--output-format", "JSON", "--output-file", str(path)]
    subprocess.run(command, cwd=ROOT, check=True)
    return len(json.loads(path.read_text(encoding="utf-8"))["components"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the bill of materials, audit the packages and print the result."""
    parser = argparse.ArgumentParser(prog="make audit", description=__doc__)
    parser.add_argument("--require-data", action="store_true", help="fail if any package was not checked")
    parser.add_argument("--lock", default=AUDITED_LOCK, help=f"the lock to audit ({AUDITED_LOCK})")
    parser.add_argument("--output", type=Path, default=ROOT / BILL_OF_MATERIALS, help="the bill of materials")
    options, others = parser.parse_known_args(arguments)
    components = write_bill_of_materials(SERVICE_LOCK, options.output)
    print(f"bill of materials: {components} packages in {options.output}")
    result = audit(options.lock, others)
    print(result.report())
    failed = bool(result.vulnerabilities) or (options.require_data and bool(result.unchecked))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
