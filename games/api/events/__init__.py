"""What happened, as it happens: streams and long polls, as far as a request goes.

The waiting itself is done by `games.streams`.
"""
