"""URL patterns of the web pages."""

from django.urls import URLPattern, path, re_path

from games.api.routing import UsernameConverter
from games.oauth import endpoints
from games.web import oauth_pages, pwa, views

urlpatterns: list[URLPattern] = [
    path("", views.lobby, name="lobby"),
    path("matches/<slug:match_id>", views.table, name="table"),
    path("matches/<slug:match_id>/replay", views.replay, name="replay"),
    path("replay", views.replay, name="replay-file"),
    path("learn", views.learn, name="learn"),
    path("learn/<slug:key>", views.lesson, name="lesson-page"),
    path("rules", views.rules, name="rules"),
    path("rules/trainer", views.trainer, name="trainer"),
    path("rules/<slug:key>", views.rule_set, name="rule-set"),
    path("puzzles", views.puzzle, {"puzzle_id": "next"}, name="puzzles-page"),
    path("puzzles/<slug:puzzle_id>", views.puzzle, name="puzzle-page"),
    path("account", views.account, name="account"),
    path("oauth/authorize", oauth_pages.authorize, name="oauth-authorize"),
    path("oauth/session", oauth_pages.continue_session, name="oauth-session"),
    path("oauth/token", endpoints.token, name="oauth-token"),
    path("oauth/revoke", endpoints.revoke, name="oauth-revoke"),
    path(".well-known/oauth-authorization-server", endpoints.metadata, name="oauth-metadata"),
    path("players", views.players, name="players-page"),
    path("watch", views.watch, name="watch-page"),
    path("@me", views.own_matches, name="own-matches"),
    re_path(rf"^@(?P<username>{UsernameConverter.regex})$", views.player, name="player-page"),
    path("confirm-email", views.confirm_email, name="confirm-email-page"),
    path("undo-email-change", views.undo_email_change, name="undo-email-change-page"),
    path("reset-password", views.reset_password, name="reset-password-page"),
    path("unsubscribe", views.unsubscribe_page, name="unsubscribe-page"),
    path("offline", pwa.offline, name="offline"),
    path("manifest.webmanifest", pwa.manifest, name="manifest"),
    path("sw.js", pwa.service_worker, name="service-worker"),
]
