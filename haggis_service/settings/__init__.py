"""Settings, one module for each way to run.

- `development`: a checkout on a desk. Works with nothing set and nothing installed beside it.
- `production`: refuses to start, saying everything that is wrong at once, while anything unsafe is set.
- `testing`: what the tests run on.

`base` holds what is the same everywhere. Whatever differs between two machines is read from the environment.
"""
