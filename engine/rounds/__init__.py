"""Play a round: tricks, passes, bets, awards and going out."""
