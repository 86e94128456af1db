"""The clock: how long a turn may take, and what becomes of a table where nobody comes."""
