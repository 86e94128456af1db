"""The directory of players, who is online, and whom players follow."""
