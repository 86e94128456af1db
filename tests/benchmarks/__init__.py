"""Tests of the measures: that they measure something, not what."""
