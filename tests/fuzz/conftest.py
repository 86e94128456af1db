"""What the fuzzer loads by itself is no test."""

collect_ignore = ["hooks.py"]
