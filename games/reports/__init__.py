"""Reports of players about other players, seen by moderators only."""
