"""Define what a seat, a spectator or a referee may see."""
