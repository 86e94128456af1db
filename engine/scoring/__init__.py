"""Score a finished round: one function per rule, one line of the score sheet per seat."""
