"""The forms with which operators log in to the admin."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from unfold.forms import AuthenticationForm
from unfold.widgets import UnfoldAdminTextInputWidget

from games.accounts.serializers import MAX_CODE_LENGTH
from games.accounts.services.sign_in import authenticate_player
from games.core.addresses import request_source
from games.core.errors import Problem

_CODE_ATTRIBUTES = {"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false"}


class LogInForm(AuthenticationForm):
    """The login form, with a code of the second factor and the same limits as the API."""

    code = forms.CharField(
        required=False,
        max_length=MAX_CODE_LENGTH,
        widget=UnfoldAdminTextInputWidget(attrs=_CODE_ATTRIBUTES),
        help_text="Of your authenticator app, or a recovery code. Leave it empty before you have set one up.",
    )

    def clean(self) -> dict[str, Any]:
        """Check the password and the code."""
        cleaned: dict[str, Any] = self.cleaned_data
        if self.errors:
            return cleaned
        try:
            self.user_cache = authenticate_player(
                username=cleaned["username"],
                password=cleaned["password"],
                code=cleaned["code"] or None,
                source=request_source(self.request),
            )
        except Problem as problem:
            raise self._error(problem) from problem
        self.confirm_login_allowed(self.user_cache)
        return cleaned

    def _error(self, problem: Problem) -> ValidationError:
        """Return the message for a problem."""
        if problem.code == "invalid_credentials":
            error: ValidationError = self.get_invalid_login_error()
            return error
        if problem.code == "rate_limited":
            wait = problem.extra["retry_after"]
            return ValidationError(f"Too many attempts. Try again in {wait} seconds.")
        return ValidationError(problem.detail)


class CodeForm(forms.Form):
    """The form that completes the set-up of a second factor."""

    code = forms.CharField(
        max_length=MAX_CODE_LENGTH, widget=UnfoldAdminTextInputWidget(attrs=_CODE_ATTRIBUTES)
    )
