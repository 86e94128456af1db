"""Read, write and replay whole matches in the `haggis-record/1` format, as JSON or in text notation."""
