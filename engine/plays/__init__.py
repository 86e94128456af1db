"""Every legal play of a hand, to lead and to follow."""
