"""Who plays: accounts, tokens, passwords, addresses."""
