"""Environments for reinforcement learning; install `haggis-engine[rl]`.

- `engine.env.aec`: a PettingZoo environment, `env(...)` and `raw_env(...)`.
- `engine.env.vector`: many games stepped together, in one process or several.
- `engine.env.samples`: observations and actions from records, to learn from played matches.
- `engine.env.speed`: a program that prints how many decisions a second they make.

All of them share `observations` and `actions`, so what learns in one can play in another.
"""
