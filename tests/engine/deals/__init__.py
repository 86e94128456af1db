"""Tests of verifiable deals."""
