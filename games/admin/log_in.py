"""Logging in to the admin: attempts count here as they do at the API."""

from typing import Any

from django.core.exceptions import ValidationError
from unfold.forms import AuthenticationForm

from games.addresses import address_of
from games.errors import Problem
from games.services.accounts.attempts import begin_attempt, end_attempts


class LogInForm(AuthenticationForm):
    """Name and password, so many times from one address and at one account."""

    def clean(self) -> dict[str, Any]:
        """Count the attempt before it is judged."""
        attempt = {
            "username": self.cleaned_data.get("username", ""),
            "address": address_of(self.request),
        }
        try:
            begin_attempt(**attempt)
        except Problem as refused:
            wait = refused.helps["retry_after"]
            raise ValidationError(f"Too many attempts. The next one counts in {wait} seconds.") from refused
        cleaned: dict[str, Any] = super().clean()
        end_attempts(**attempt)
        return cleaned
