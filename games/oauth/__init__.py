"""Sign-in for apps of third parties: OAuth 2.1 with authorization codes, PKCE and rotating refresh tokens."""
