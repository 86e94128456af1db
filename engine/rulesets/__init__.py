"""The five published rule texts as data, one value each."""
