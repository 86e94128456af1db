"""Webhooks, mails and push messages, all sent from an outbox."""
