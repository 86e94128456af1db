"""How the admin's pages show what the game is made of."""
