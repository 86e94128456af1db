"""Before the first deal and after the last trick: tables made, seats filled, emptied and given up."""
