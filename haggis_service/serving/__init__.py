"""The whole product in one process: web server, worker and clock. What `make run` starts."""
