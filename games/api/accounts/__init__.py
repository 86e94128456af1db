"""Accounts over HTTP: who plays, with which tokens."""
