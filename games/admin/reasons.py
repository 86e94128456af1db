"""No deed without a reason."""

from django import forms
from unfold.widgets import UnfoldAdminTextareaWidget

from games.models.operator_action import LONGEST_REASON


class ReasonForm(forms.Form):
    """Why."""

    reason = forms.CharField(
        max_length=LONGEST_REASON,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text="Kept with the deed. Players do not see it.",
    )
