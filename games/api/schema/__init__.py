"""The OpenAPI document, generated from the operations that the views declare."""
