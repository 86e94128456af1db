"""The modules of the round in the terminal."""
