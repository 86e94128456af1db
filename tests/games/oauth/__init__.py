"""Tests of the sign-in for apps."""
