"""Building blocks without a domain: errors, times, JSON, secrets, addresses, limits, sending to queues."""
