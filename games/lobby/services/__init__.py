"""Create, fill, join, leave, start and cancel matches, and set up rematches."""
