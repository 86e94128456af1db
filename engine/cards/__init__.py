"""Cards, decks, and sets of cards as bits."""
