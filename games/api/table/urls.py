"""The routes of the table."""

from django.urls import URLPattern, path

from games.api import converters
from games.api.standing_order import StandingOrderView
from games.api.table.history import RoundsView, RoundView
from games.api.table.insights import AnalysisView, HintView
from games.api.table.records import RecordView, VerifyView
from games.api.table.views import CheckView, LegalMovesView, MatchView, MovesView


def table_routes() -> list[URLPattern]:
    """List them, without slashes at the end: the middleware takes those away."""
    converters.register()
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
        path("records/verify", VerifyView.as_view(), name="verify"),
    ]
