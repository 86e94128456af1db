"""The table: what a viewer sees of a match, and what a player does there."""
