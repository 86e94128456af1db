"""Tests of the fair deals."""
