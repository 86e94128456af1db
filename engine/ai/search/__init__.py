"""Search ahead in worlds that are consistent with what a seat has seen."""
