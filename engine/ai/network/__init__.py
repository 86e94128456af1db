"""The value network: what a seat may expect of a round, from what it may see."""
