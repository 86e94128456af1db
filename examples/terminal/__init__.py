"""The parts of the round at the terminal."""
