"""Building blocks without a domain: errors, times, JSON, secrets, addresses, rate limits, task queues."""
