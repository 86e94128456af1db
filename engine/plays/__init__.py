"""Find every legal play of a hand, to lead or to follow."""
