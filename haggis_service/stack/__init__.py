"""The processes of a production deployment, and `make stack`, which starts them without containers."""
