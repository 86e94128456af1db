"""The contract as a document: what each view declares, made into OpenAPI."""
