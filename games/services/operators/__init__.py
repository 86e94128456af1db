"""What the people who run the service may do. Each deed has its reason, and is kept with it."""
