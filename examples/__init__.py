"""Programs that use the engine or the service."""
