"""Webhooks, mails and push messages, sent from one outbox. `games.matches` defines their types and kinds."""
