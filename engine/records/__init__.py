"""Whole matches as `haggis-record/1`: read, written, put into readable notation, and replayed."""
