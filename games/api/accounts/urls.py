"""The routes of accounts."""

from django.urls import URLPattern, path

from games.api import converters
from games.api.accounts import bots, entering, me, recovery, tokens


def account_routes() -> list[URLPattern]:
    """List them, without slashes at the end: the middleware takes those away."""
    converters.register()
    return [
        path("auth/guest", entering.GuestView.as_view(), name="guest"),
        path("auth/claim", entering.ClaimView.as_view(), name="claim"),
        path("auth/register", entering.RegisterView.as_view(), name="register"),
        path("auth/token", entering.TokenView.as_view(), name="log-in"),
        path("auth/ticket", entering.TicketView.as_view(), name="ticket"),
        path("auth/password/reset", recovery.PasswordResetView.as_view(), name="password-reset"),
        path("auth/password/confirm", recovery.PasswordConfirmView.as_view(), name="password-confirm"),
        path("auth/email/confirm", recovery.EmailConfirmView.as_view(), name="email-confirm"),
        path("me", me.MeView.as_view(), name="me"),
        path("me/password", recovery.PasswordView.as_view(), name="password"),
        path("me/tokens", tokens.TokensView.as_view(), name="tokens"),
        path("me/tokens/<id:token_id>", tokens.OneTokenView.as_view(), name="token"),
        path("me/bots", bots.BotsView.as_view(), name="bots"),
        path("me/bots/<username:username>", bots.OneBotView.as_view(), name="bot"),
        path("me/bots/<username:username>/token", bots.BotTokenView.as_view(), name="bot-token"),
        path("players/<username:username>", me.PlayerView.as_view(), name="player"),
    ]
