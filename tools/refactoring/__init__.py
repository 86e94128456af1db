"""What `tools.compare_trees` needs: the rename map, the syntax trees of a commit and their comparison."""
