"""The benchmark of idle streams runs at the smallest size."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processes import ROOT, minimal_environment


@pytest.mark.needs("postgresql")
@pytest.mark.needs("redis")
def test_streams_benchmark_reports_latency(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    size = "--streams 20 --events 4 --idle 0.1 --pause 0.01".split()
    subprocess.run(
        [sys.executable, "-m", "benchmarks.streams", *size, "--results", str(results)],
        cwd=ROOT,
        env=minimal_environment(),
        check=True,
        timeout=250,
    )
    line = json.loads(results.read_text(encoding="utf-8"))
    assert line["figures"]["streams"] == 20
    assert line["figures"]["events"] == 4
    assert line["ratios"]["p99 ms"] > 0
