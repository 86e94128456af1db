"""The whole service in one process, as `make run` starts it: web server, worker and scheduler."""
