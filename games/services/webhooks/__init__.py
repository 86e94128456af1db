"""Events sent to addresses that players name: endpoints, the outbox, and who empties it."""
