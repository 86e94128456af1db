"""Files that schemathesis loads itself are not tests."""

collect_ignore = ["hooks.py"]
