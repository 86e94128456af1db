"""Django settings, one module per environment.

- `development`: for a checkout. Works without any configuration or other servers.
- `production`: refuses to start with missing or unsafe settings, and lists all of them.
- `testing`: for the test suite.

`base` holds the common settings. Everything that depends on the machine comes from environment variables.
"""
