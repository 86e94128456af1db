"""Tests, in the layout of the packages that they test."""
