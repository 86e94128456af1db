"""What the service tells its operators: a line for every request and task, and numbers."""
