"""Replay a record, checking every deal, action, score and result up to the first mistake."""

from engine.records.agreement import length_of, rules_of
from engine.records.course import Course, begin
from engine.records.deals import Proof, begin_proof, check_deal, drawn_seat
from engine.records.record import Record
from engine.records.results import check_result
from engine.records.rounds import replay_round
from engine.records.verdict import Deals, Mistake, Valid, Verdict


def replay(record: Record) -> Verdict:
    """Return whether the record is valid, and then whether its deals are proven; otherwise the first mistake.

    >>> from engine.records.reading import read_record
    >>> just_begun = read_record({"format": "haggis-record/1", "ruleset": "classic", "players": 2,
    ...     "target_score": 250, "seats": ["heather", "ai:hard"], "rounds": []})
    >>> replay(just_begun).as_json()
    {'valid': True, 'deals': 'unproven'}
    """
    try:
        proof = _replay(record)
    except Mistake as first:
        return first.wrong
    return Valid(Deals.PROVEN if proof.proven else Deals.UNPROVEN)


def _replay(record: Record) -> Proof:
    """Replay round after round, then check the result; raise `Mistake` at the first mistake."""
    course = begin(rules_of(record), length_of(record), drawn=drawn_seat(record))
    proof = begin_proof(record)
    for index, played in enumerate(record.rounds):
        where = f"/rounds/{index}"
        _check_order(course, record, index, where)
        proof = check_deal(record, played, where, proof)
        course = replay_round(course, played, where)
    if record.result is not None:
        check_result(course, record.result)
    return proof


def _check_order(course: Course, record: Record, index: int, where: str) -> None:
    """Check the numbering of rounds, that only the last is cut short, and that none follows the end."""
    if course.is_over:
        raise Mistake(where, "match_over", "The match was over before this round.")
    if index and record.rounds[index - 1].scores is None:
        detail = "Only the last round of a match may be cut short."
        raise Mistake(f"/rounds/{index - 1}/scores", "round_unfinished", detail)
    if record.rounds[index].number != index + 1:
        raise Mistake(f"{where}/number", "wrong_number", f"This is round {index + 1}.")
