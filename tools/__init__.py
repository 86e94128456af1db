"""Programs for those who work on Haggis."""
