"""Players without hands: levels that choose from what their seat may see."""
