"""The routes of the lobby."""

from django.urls import URLPattern, path

from games.api import converters
from games.api.lobby import views
from games.api.lobby.lists import MyInvitationsView, MyMatchesView, PlayersMatchesView
from games.api.rulesets import ReadingsView, RuleSetsView, RuleSetView


def lobby_routes() -> list[URLPattern]:
    """List them, without slashes at the end: the middleware takes those away."""
    converters.register()
    return [
        path("rulesets", RuleSetsView.as_view(), name="rulesets"),
        path("rulesets/<id:key>", RuleSetView.as_view(), name="ruleset"),
        path("rulesets/<id:key>/readings", ReadingsView.as_view(), name="readings"),
        path("matches", views.MatchesView.as_view(), name="matches"),
        path("matches/<id:match_id>/start", views.StartView.as_view(), name="start"),
        path("matches/<id:match_id>/join", views.JoinView.as_view(), name="join"),
        path("matches/<id:match_id>/leave", views.LeaveView.as_view(), name="leave"),
        path("matches/<id:match_id>/accept", views.AcceptView.as_view(), name="accept"),
        path("matches/<id:match_id>/decline", views.DeclineView.as_view(), name="decline"),
        path("matches/<id:match_id>/cancel", views.CancelView.as_view(), name="cancel"),
        path("matches/<id:match_id>/resign", views.ResignView.as_view(), name="resign"),
        path("matches/<id:match_id>/reclaim", views.ReclaimView.as_view(), name="reclaim"),
        path("matches/<id:match_id>/rematch", views.RematchView.as_view(), name="rematch"),
        path("matches/<id:match_id>/seats/<small:number>", views.SeatView.as_view(), name="seat"),
        path("me/matches", MyMatchesView.as_view(), name="my-matches"),
        path("me/invitations", MyInvitationsView.as_view(), name="my-invitations"),
        path("players/<username:username>/matches", PlayersMatchesView.as_view(), name="players-matches"),
    ]
