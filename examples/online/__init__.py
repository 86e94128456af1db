"""A terminal client of the service, built on the generated Python client."""
