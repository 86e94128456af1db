"""Analyses, on the queue `ai`: a piece every second, so that they never take more than half of one worker."""

from celery import shared_task

from games.services.analysing import analyse_a_piece


@shared_task
def analyse() -> None:
    """Go on with the analysis that has waited longest, if any does."""
    analyse_a_piece()
