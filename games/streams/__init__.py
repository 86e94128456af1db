"""Waiting: event streams and long polls, by the thousand, on one event loop.

What waits holds neither a thread nor a connection to the database. Requests are judged by the views of
`games.api.events`, in a few threads; then a stream is one waiting coroutine, told by the hub when there is
something to read. What is read once is written to everybody who waits for it.
"""
