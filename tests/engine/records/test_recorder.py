"""A record built from a log: deal by deal, action by action."""

from engine.cards.card import parse_cards
from engine.cards.hand import mask_of
from engine.combinations.ambiguity import Named
from engine.combinations.kinds import Kind, number_of
from engine.combinations.plays import play_of
from engine.deals.deal import Deal, deal
from engine.matches.ending import Length
from engine.records.record import By, Ending, RecordedAction
from engine.records.recorder import Agreement, Recorder, empty_record, recorded_action
from engine.records.replay import replay
from engine.rounds.actions import Pass, Play
from engine.rulesets.catalogue import rule_set

AGREED = Agreement(
    match="m_1",
    rules=rule_set("classic").at_table(players=2),
    length=Length.agreed(),
    seats=("heather", "duff"),
)
LINK = bytes(range(32))
SEEDS = ("", "")
DEAL = deal(deal_id="m_1", number=1, link=LINK, players=2, seeds=SEEDS)


def test_the_agreement_is_in_the_record_before_any_round() -> None:
    record = empty_record(AGREED)
    assert (record.ruleset, record.ruleset_version) == ("classic", AGREED.rules.version)
    assert record.options == (("bomb_capture", "winner_chooses"),)
    assert (record.target_score, record.rounds_limit, record.anchor) == (250, None, None)
    assert (record.rounds, record.result) == ((), None)


def test_a_play_is_recorded_with_its_full_combination() -> None:
    cards = parse_cards("3r J Q")
    taken = play_of(number_of(Kind.RUN, 5, 1, 3), mask_of(cards))
    action = recorded_action(0, Play(cards), play=taken, by=By.PLAYER, at="2026-01-02T03:04:05Z")
    assert action == RecordedAction(
        0, Play(cards, Named(Kind.RUN, 5, 1, 3)), By.PLAYER, "2026-01-02T03:04:05Z"
    )


def test_without_the_play_an_action_is_recorded_as_given() -> None:
    play = Play(parse_cards("3r J Q"), Named(Kind.SET))
    assert recorded_action(0, play).action == play
    assert recorded_action(1, Pass()) == RecordedAction(1, Pass())


def test_a_running_round_is_not_in_the_record() -> None:
    recorder = Recorder(AGREED)
    recorder.deal(1, dealer=0, leader=1, deal=DEAL, link=LINK)
    recorder.add(recorded_action(1, Pass()))
    assert recorder.record().rounds == ()


def test_a_round_is_recorded_with_its_actions() -> None:
    recorder = Recorder(AGREED)
    recorder.deal(1, dealer=0, leader=1, deal=DEAL, link=LINK)
    recorder.add(recorded_action(1, Pass()))
    recorder.goes_out(1)
    recorder.close(scores=None, totals=(0, 0))
    (played,) = recorder.record().rounds
    assert (played.actions, played.out, played.totals) == ((RecordedAction(1, Pass()),), (1,), (0, 0))
    assert played.link == LINK.hex()
    assert played.hands[0] == DEAL.hands[0] + parse_cards("J Q K")
    assert played.haggis == DEAL.haggis


def test_rounds_do_not_share_their_actions() -> None:
    recorder = Recorder(AGREED)
    for number in (1, 2):
        recorder.deal(number, dealer=0, leader=1, deal=DEAL, link=None)
        recorder.add(recorded_action(number - 1, Pass()))
        recorder.goes_out(0)
        recorder.close(scores=None, totals=None)
    assert [[each.seat for each in played.actions] for played in recorder.record().rounds] == [[0], [1]]
    assert [played.out for played in recorder.record().rounds] == [(0,), (0,)]
    assert [played.link for played in recorder.record().rounds] == [None, None]


def test_ending_a_match_cuts_its_running_round_short() -> None:
    recorder = Recorder(AGREED)
    recorder.deal(1, dealer=0, leader=1, deal=DEAL, link=None)
    recorder.finish(winners=(0,), scores=(0, 0), reason=Ending.RESIGNED)
    record = recorder.record()
    assert [played.scores for played in record.rounds] == [None]
    assert replay(record).valid


def test_a_match_may_end_between_rounds() -> None:
    recorder = Recorder(AGREED)
    recorder.finish(winners=(), scores=(0, 0), reason=Ending.ANNULLED)
    assert recorder.record().rounds == ()
    assert replay(recorder.record()).valid


def test_a_deal_is_recorded_in_the_order_dealt() -> None:
    turned = Deal(tuple(hand[::-1] for hand in DEAL.hands), DEAL.haggis[::-1])
    recorder = Recorder(AGREED)
    recorder.deal(1, dealer=0, leader=1, deal=turned, link=None)
    recorder.close(scores=None, totals=None)
    assert recorder.record().rounds[0].haggis == DEAL.haggis[::-1]
