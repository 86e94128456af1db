"""Looking ahead into worlds that fit what a seat has seen."""
