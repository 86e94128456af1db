"""The processes of production, and a way to start them all without containers (`make stack`)."""
