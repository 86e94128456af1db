"""How the networks of the levels are made: rounds played against itself, and learnt from."""
