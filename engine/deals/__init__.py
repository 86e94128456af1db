"""Verifiable deals: the haggis-shuffle-v1 algorithm, byte by byte.

A hash chain is committed to before anyone joins, the players' seeds are mixed in, and each round's link is
published when the round ends. All inputs are arguments: nothing here draws a random number.
"""
