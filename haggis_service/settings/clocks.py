"""Settings of turn reminders, vacations, pauses and outages."""

# A reminder is sent when this fraction of the turn is left, but not for turns shorter than this many seconds.
HAGGIS_REMINDED_WHEN_LEFT = 0.25
HAGGIS_SHORTEST_TURN_REMINDED = 3600

# Vacation days per player and year, and the total time a match may be paused.
HAGGIS_VACATION_DAYS = 30
HAGGIS_PAUSE_SECONDS = 30 * 24 * 3600

# A match against AIs ends if its player has not acted for this many days.
HAGGIS_IDLE_MATCH_DAYS = 30

# The sweep runs every second. A longer gap counts as an outage, after which deadlines are extended.
HAGGIS_OUTAGE_SECONDS = 15
