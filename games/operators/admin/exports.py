"""Admin page of the files of the data set."""

from typing import Any, ClassVar, Final

from django.contrib import admin
from django.contrib.auth.decorators import permission_required
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern
from unfold.decorators import display

from games.operators import deliveries
from games.operators.admin.base import ReadOnlyAdmin
from games.operators.admin.deliveries import (
    LATEST,
    DeliveryAction,
    act_on_row,
    actions_by_key,
    get_row_or_404,
    page_and_action_urls,
    render_page,
)
from games.operators.admin.site import site
from games.operators.models import OperatorAction
from games.records.models import DatasetFile

EXPORT_ACTIONS: Final = actions_by_key(
    DeliveryAction(
        key="retry",
        label="Write again",
        description="Lets a worker write the file now, with all its attempts. The old file stays until then.",
        is_applicable=lambda _: True,
        function=deliveries.retry_export,
    ),
)


@admin.register(DatasetFile, site=site)
class DatasetFileAdmin(ReadOnlyAdmin):
    """The list of the files of the data set."""

    list_display = ("name", "status_label", "rows", "size", "written_at", "wake_at", "attempts", "fault")
    list_filter: ClassVar = ["format"]

    @display(description="status", label={"current": "success", "failed": "danger", "waiting": "info"})
    def status_label(self, file: DatasetFile) -> str:
        """Return the status, shown as a coloured label."""
        return file.status

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ANN401, ARG002 -- as Django calls it
        """Return whether the operator may see deliveries."""
        return request.user.has_perm("games.view_delivery")

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Return whether the operator may see deliveries."""
        return self.has_view_permission(request)

    def get_urls(self) -> list[URLPattern]:
        """Replace the change page by our own and add the pages of the actions."""
        return page_and_action_urls(self, "datasetfile", export_page, act_on_export, super().get_urls())


@permission_required("games.view_delivery", raise_exception=True)
def export_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a file and who has written it again."""
    file = get_row_or_404(DatasetFile.objects.all(), pk)
    entries = OperatorAction.objects.filter(details__file=file.name).select_related("operator")
    return render_page(
        request,
        "operators/export.html",
        EXPORT_ACTIONS,
        file,
        title=f"File {file.name}",
        file=file,
        audit_log=entries.order_by("-pk")[:LATEST],
    )


def act_on_export(request: HttpRequest, pk: int, action_key: str) -> HttpResponse:
    """Show the form of an action on a file and perform it."""
    file = get_row_or_404(DatasetFile.objects.all(), pk)
    return act_on_row(request, EXPORT_ACTIONS, action_key, file, {"file_id": file.pk}, "datasetfile")
