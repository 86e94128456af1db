"""How the clock of the service is set."""

# A player is reminded when this part of the turn is left; of a turn shorter than so many seconds nobody is.
HAGGIS_REMINDED_WHEN_LEFT = 0.25
HAGGIS_SHORTEST_TURN_REMINDED = 3600

# How many days of a year a player may be away, and how long a match may be paused in all.
HAGGIS_VACATION_DAYS = 30
HAGGIS_PAUSE_SECONDS = 30 * 24 * 3600

# The clock beats every second. When it has not for so long, the service was away, and deadlines are moved.
HAGGIS_OUTAGE_SECONDS = 15
