"""The Django project: settings, addresses, and the doors for web servers."""
