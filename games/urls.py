"""All routes of API v1.

Routes have no trailing slash: the middleware removes it from requests.
"""

from django.urls import URLPattern, path, re_path

from games.accounts import api as accounts_api
from games.accounts import bots_api
from games.ai.api import AnalysisView, HintView
from games.api import routing
from games.api.limits import LimitsView
from games.api.problems import not_found
from games.api.schema.views import OpenApi30View, SchemaView
from games.clock import api as clock_api
from games.directory import api as directory_api
from games.lessons import api as lessons_api
from games.lobby import api as lobby_api
from games.lobby.api import MyInvitationsView, MyMatchesView, PlayersMatchesView
from games.lobby.rulesets import ReadingsView, RuleSetsView, RuleSetView
from games.notifications import api as notifications_api
from games.oauth import api as oauth_api
from games.play.api import (
    CheckView,
    LegalMovesView,
    MatchView,
    MovesView,
    ResignView,
    RoundsView,
    RoundView,
    StandingOrderView,
)
from games.privacy import api as privacy_api
from games.puzzles import api as puzzles_api
from games.realtime.api import MatchEventsView, MyEventsView
from games.realtime.watch_api import WatchersView, WatchView
from games.records import dataset_api
from games.records.api import RecordView, VerificationView, VerifyView
from games.reports.api import ReportsView
from games.statistics.api import StatisticsView


def account_routes() -> list[URLPattern]:
    """Return the routes for accounts, tokens and bots."""
    routing.register_converters()
    return [
        path("auth/guest", accounts_api.GuestView.as_view(), name="guest"),
        path("auth/claim", accounts_api.ClaimView.as_view(), name="claim"),
        path("auth/register", accounts_api.RegisterView.as_view(), name="register"),
        path("auth/token", accounts_api.TokenView.as_view(), name="log-in"),
        path("auth/ticket", accounts_api.TicketView.as_view(), name="ticket"),
        path("auth/password/reset", accounts_api.PasswordResetView.as_view(), name="password-reset"),
        path("auth/password/confirm", accounts_api.PasswordConfirmView.as_view(), name="password-confirm"),
        path("auth/email/confirm", accounts_api.EmailConfirmView.as_view(), name="email-confirm"),
        path("auth/email/undo", accounts_api.EmailUndoView.as_view(), name="email-undo"),
        path("me", privacy_api.DeletableMeView.as_view(), name="me"),
        path(
            "me/notices/<id:notice_id>/acknowledge", accounts_api.AccountNoticeView.as_view(), name="notice"
        ),
        path("me/export", privacy_api.PersonalExportView.as_view(), name="my-export"),
        path("me/export/archive", privacy_api.PersonalArchiveView.as_view(), name="my-export-archive"),
        path("me/password", accounts_api.PasswordView.as_view(), name="password"),
        path("me/reauthenticate", accounts_api.ReauthenticateView.as_view(), name="reauthenticate"),
        path("me/second-factor", accounts_api.SecondFactorView.as_view(), name="second-factor"),
        path("me/sessions", accounts_api.SessionsView.as_view(), name="sessions"),
        path("me/sessions/<id:session_id>", accounts_api.OneSessionView.as_view(), name="session"),
        path("me/tokens", accounts_api.TokensView.as_view(), name="tokens"),
        path("me/tokens/<id:token_id>", accounts_api.OneTokenView.as_view(), name="token"),
        path("me/bots", bots_api.BotsView.as_view(), name="bots"),
        path("me/bots/<username:username>", privacy_api.DeletableBotView.as_view(), name="bot"),
        path("me/bots/<username:username>/token", bots_api.BotTokenView.as_view(), name="bot-token"),
        path("me/apps", oauth_api.AppsView.as_view(), name="apps"),
        path("me/apps/<id:app_id>", oauth_api.OneAppView.as_view(), name="app"),
        path("me/authorizations", oauth_api.AuthorizationsView.as_view(), name="authorizations"),
        path(
            "me/authorizations/<id:authorization_id>",
            oauth_api.OneAuthorizationView.as_view(),
            name="authorization",
        ),
        path("me/follows", directory_api.FollowsView.as_view(), name="follows"),
        path("me/follows/<username:username>", directory_api.OneFollowView.as_view(), name="follow"),
        path("me/blocks", directory_api.BlocksView.as_view(), name="blocks"),
        path("me/blocks/<username:username>", directory_api.OneBlockView.as_view(), name="block"),
        path("me/relations/<username:username>", directory_api.RelationView.as_view(), name="relation"),
        path("reports", ReportsView.as_view(), name="reports"),
        path("players", directory_api.PlayersView.as_view(), name="players"),
        path("players/<username:username>", accounts_api.PlayerView.as_view(), name="player"),
    ]


def lobby_routes() -> list[URLPattern]:
    """Return the routes for rule sets and match lists, seats and invitations."""
    routing.register_converters()
    return [
        path("rulesets", RuleSetsView.as_view(), name="rulesets"),
        path("rulesets/<id:key>", RuleSetView.as_view(), name="ruleset"),
        path("rulesets/<id:key>/readings", ReadingsView.as_view(), name="readings"),
        path("matches", lobby_api.MatchesView.as_view(), name="matches"),
        path("matches/<id:match_id>/start", lobby_api.StartView.as_view(), name="start"),
        path("matches/<id:match_id>/join", lobby_api.JoinView.as_view(), name="join"),
        path("matches/<id:match_id>/leave", lobby_api.LeaveView.as_view(), name="leave"),
        path("matches/<id:match_id>/accept", lobby_api.AcceptView.as_view(), name="accept"),
        path("matches/<id:match_id>/decline", lobby_api.DeclineView.as_view(), name="decline"),
        path("matches/<id:match_id>/cancel", lobby_api.CancelView.as_view(), name="cancel"),
        path("matches/<id:match_id>/resign", ResignView.as_view(), name="resign"),
        path("matches/<id:match_id>/reclaim", clock_api.ReclaimView.as_view(), name="reclaim"),
        path("matches/<id:match_id>/rematch", lobby_api.RematchView.as_view(), name="rematch"),
        path("matches/<id:match_id>/seats/<small:number>", lobby_api.SeatView.as_view(), name="seat"),
        path("me/matches", MyMatchesView.as_view(), name="my-matches"),
        path("me/invitations", MyInvitationsView.as_view(), name="my-invitations"),
        path("players/<username:username>/matches", PlayersMatchesView.as_view(), name="players-matches"),
        path("players/<username:username>/stats", StatisticsView.as_view(), name="players-stats"),
    ]


def table_routes() -> list[URLPattern]:
    """Return the routes for tables, logs, rounds, records and analysis."""
    routing.register_converters()
    return [
        path("matches/<id:match_id>", MatchView.as_view(), name="match"),
        path("matches/<id:match_id>/moves", MovesView.as_view(), name="moves"),
        path("matches/<id:match_id>/moves/check", CheckView.as_view(), name="check"),
        path("matches/<id:match_id>/legal-moves", LegalMovesView.as_view(), name="legal-moves"),
        path("matches/<id:match_id>/standing-order", StandingOrderView.as_view(), name="standing-order"),
        path("matches/<id:match_id>/rounds", RoundsView.as_view(), name="rounds"),
        path("matches/<id:match_id>/rounds/<small:number>", RoundView.as_view(), name="round"),
        path("matches/<id:match_id>/record", RecordView.as_view(), name="record"),
        path("matches/<id:match_id>/hint", HintView.as_view(), name="hint"),
        path("matches/<id:match_id>/analysis", AnalysisView.as_view(), name="analysis"),
        path("records", dataset_api.RecordsView.as_view(), name="records"),
        path("exports", dataset_api.ExportsView.as_view(), name="exports"),
        path("exports/<file:file_name>", dataset_api.ExportView.as_view(), name="export"),
        path("records/verify", VerifyView.as_view(), name="verify"),
        path("records/verifications/<id:verification_id>", VerificationView.as_view(), name="verification"),
    ]


def lesson_routes() -> list[URLPattern]:
    """Return the routes for lessons."""
    routing.register_converters()
    return [
        path("lessons", lessons_api.LessonsView.as_view(), name="lessons"),
        path("lessons/<id:lesson>", lessons_api.LessonView.as_view(), name="lesson"),
        path("lessons/<id:lesson>/act", lessons_api.LessonActionView.as_view(), name="lesson-action"),
        path("lessons/<id:lesson>/check", lessons_api.LessonCheckView.as_view(), name="lesson-check"),
    ]


def clock_routes() -> list[URLPattern]:
    """Return the routes for time controls, pauses and vacations."""
    routing.register_converters()
    return [
        path("clocks", clock_api.ClocksView.as_view(), name="clocks"),
        path("matches/<id:match_id>/pause", clock_api.PauseView.as_view(), name="pause"),
        path("matches/<id:match_id>/resume", clock_api.ResumeView.as_view(), name="resume"),
        path("me/vacation", clock_api.VacationView.as_view(), name="vacation"),
    ]


def webhook_routes() -> list[URLPattern]:
    """Return the routes for webhooks."""
    routing.register_converters()
    one = "me/webhooks/<id:webhook_id>"
    again = f"{one}/deliveries/<id:delivery_id>/redeliver"
    return [
        path("me/webhooks", notifications_api.WebhooksView.as_view(), name="webhooks"),
        path(one, notifications_api.OneWebhookView.as_view(), name="webhook"),
        path(f"{one}/secret", notifications_api.WebhookSecretView.as_view(), name="webhook-secret"),
        path(f"{one}/deliveries", notifications_api.DeliveriesView.as_view(), name="webhook-deliveries"),
        path(again, notifications_api.RedeliverView.as_view(), name="webhook-redeliver"),
        path(f"{one}/test", notifications_api.WebhookTestView.as_view(), name="webhook-test"),
    ]


def push_routes() -> list[URLPattern]:
    """Return the routes for push devices."""
    routing.register_converters()
    return [
        path("push/key", notifications_api.PushKeyView.as_view(), name="push-key"),
        path(
            "me/notifications/deliveries",
            notifications_api.NoticeAttemptsView.as_view(),
            name="notification-deliveries",
        ),
        path("me/email/test", notifications_api.MailTestView.as_view(), name="email-test"),
        path("me/devices", notifications_api.DevicesView.as_view(), name="devices"),
        path("me/devices/<id:device_id>", notifications_api.OneDeviceView.as_view(), name="device"),
        path(
            "me/devices/<id:device_id>/test", notifications_api.DeviceTestView.as_view(), name="device-test"
        ),
    ]


def puzzle_routes() -> list[URLPattern]:
    """Return the routes for puzzles."""
    routing.register_converters()
    return [
        path("puzzles/daily", puzzles_api.DailyPuzzleView.as_view(), name="daily-puzzle"),
        path("puzzles/next", puzzles_api.NextPuzzleView.as_view(), name="next-puzzle"),
        path("puzzles/<id:puzzle_id>", puzzles_api.PuzzleView.as_view(), name="puzzle"),
        path("puzzles/<id:puzzle_id>/answer", puzzles_api.PuzzleAnswerView.as_view(), name="puzzle-answer"),
        path("puzzles/<id:puzzle_id>/check", puzzles_api.PuzzleCheckView.as_view(), name="puzzle-check"),
        path(
            "puzzles/<id:puzzle_id>/legal-moves", puzzles_api.PuzzleMovesView.as_view(), name="puzzle-moves"
        ),
    ]


def event_routes() -> list[URLPattern]:
    """Return the routes for event streams."""
    routing.register_converters()
    return [
        path("matches/<id:match_id>/events", MatchEventsView.as_view(), name="match-events"),
        path("matches/<id:match_id>/watchers", WatchersView.as_view(), name="watchers"),
        path("watch", WatchView.as_view(), name="watch"),
        path("me/events", MyEventsView.as_view(), name="my-events"),
    ]


def contract_routes() -> list[URLPattern]:
    """Return the routes for rate limits and the OpenAPI documents."""
    return [
        path("limits", LimitsView.as_view(), name="limits"),
        path("schema", SchemaView.as_view(), name="schema"),
        path("schema/3.0", OpenApi30View.as_view(), name="older-schema"),
    ]


# In the order of the OpenAPI document.
ROUTES: list[URLPattern] = [
    *account_routes(),
    *lobby_routes(),
    *table_routes(),
    *lesson_routes(),
    *puzzle_routes(),
    *clock_routes(),
    *webhook_routes(),
    *push_routes(),
    *event_routes(),
    *contract_routes(),
]
# Most requests are for these; finding the route of a move took 4 % of its CPU time. No two routes overlap.
FREQUENT = ("moves", "match")

urlpatterns: list[URLPattern] = [
    *(route for route in ROUTES if route.name in FREQUENT),
    *(route for route in ROUTES if route.name not in FREQUENT),
    re_path(r"^.*$", not_found),
]
