"""Deals that anyone can check: haggis-shuffle-v1, byte by byte.

A chain of links is fixed before anyone joins, the players' seeds are mixed in, and each round's link is
published when the round ends. Every byte is an argument: nothing here draws a random number.
"""
