"""Play by rules of thumb, one for each kind of choice."""
