"""Programs that show how the engine is used."""
