"""Research with the data set."""
