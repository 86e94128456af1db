"""Acting at a table: moves, standing orders and resignation."""
