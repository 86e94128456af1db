"""AI levels, which choose actions from what their seat may see."""
