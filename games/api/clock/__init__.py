"""The clock over HTTP: usual clocks, pauses, vacations."""
