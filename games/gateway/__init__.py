"""The only package that imports the engine."""
