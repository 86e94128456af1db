"""What a finished round is worth: one rule, one function, one line of the score sheet."""
