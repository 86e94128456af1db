"""AI seats, hints and analyses."""
