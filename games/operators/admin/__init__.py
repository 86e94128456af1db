"""The admin of operators and moderators."""
