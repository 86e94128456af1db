"""The one door to the engine: nothing else in the service imports it."""
