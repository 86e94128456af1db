"""Accounts: sign-in, profiles, passwords, API tokens, bots and stream tickets."""
