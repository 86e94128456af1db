"""A server of the Model Context Protocol, with which a language model plays Haggis as a bot."""
