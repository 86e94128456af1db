"""Webhooks, mail and push messages, sent from one outbox."""
