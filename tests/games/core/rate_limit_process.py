"""A process that counts requests in Redis: for each client name read, it writes `-`, or how many remain."""

import sys

from django.conf import settings

from games.core.rate_limits import count_request
from haggis_service.settings.caches import redis_cache


def main() -> None:
    """Serve until the input ends."""
    url, limit, now = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
    settings.configure(CACHES={"default": redis_cache(url)}, HAGGIS_LIMITS={"player": (limit, 60)})
    for line in sys.stdin:
        client, _, seconds_later = line.strip().partition(" ")
        counted = count_request("player", client, now=now + float(seconds_later or 0))
        sys.stdout.write("-\n" if counted is None else f"{counted.remaining}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
