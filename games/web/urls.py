"""URL patterns of the web pages."""

from django.urls import URLPattern, path

from games.web import pwa, views

urlpatterns: list[URLPattern] = [
    path("", views.lobby, name="lobby"),
    path("matches/<slug:match_id>", views.table, name="table"),
    path("matches/<slug:match_id>/replay", views.replay, name="replay"),
    path("replay", views.replay, name="replay-file"),
    path("rules", views.rules, name="rules"),
    path("rules/trainer", views.trainer, name="trainer"),
    path("rules/<slug:key>", views.rule_set, name="rule-set"),
    path("account", views.account, name="account"),
    path("confirm-email", views.confirm_email, name="confirm-email-page"),
    path("undo-email-change", views.undo_email_change, name="undo-email-change-page"),
    path("reset-password", views.reset_password, name="reset-password-page"),
    path("unsubscribe", views.unsubscribe_page, name="unsubscribe-page"),
    path("offline", pwa.offline, name="offline"),
    path("manifest.webmanifest", pwa.manifest, name="manifest"),
    path("sw.js", pwa.service_worker, name="service-worker"),
]
