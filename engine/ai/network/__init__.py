"""The value network: estimates the rest of a round from what a seat may see."""
