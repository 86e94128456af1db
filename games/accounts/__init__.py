"""Accounts: signing in, profiles, passwords, bots and tickets."""
