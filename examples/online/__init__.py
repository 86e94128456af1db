"""A terminal client of the service, on the generated client."""
