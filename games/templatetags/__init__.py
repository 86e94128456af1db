"""Template filters for the admin pages."""
