"""Who somebody is: players and their tokens."""
