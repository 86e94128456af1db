"""An app of a third party: a page of another origin that signs in with OAuth 2.1 and plays a match."""
