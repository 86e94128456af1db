"""The lessons: the deals, tasks and texts of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.gateway.documents import ActionMembers
from games.gateway.positions import SeatAction
from games.lessons.dealing import PASS

# The player of a lesson.
LEARNER: Final = 0
Text = str | Promise


# What to say about a pass where a step asks for something else.
OTHERWISE_PASSED: Final = _(
    "You may pass, but then your opponent wins the trick and leads. Here you can do better: read the task "
    "again."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One decision of the learner: task, solution, comments on the answer, and replies of the opponents.

    `otherwise` is the comment on another legal action, and `passed` that on a pass.
    """

    task: Text
    solution: ActionMembers
    right: Text
    otherwise: Text
    passed: Text = OTHERWISE_PASSED
    replies: tuple[SeatAction, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A prepared deal and what to do with it.

    `hands` are the cards that each seat holds at the start. `lead` are the actions of the opponents before
    the first step. A lesson without steps is practice: every legal action counts, an AI plays the
    opponents until the round is over, and `won` or `lost` says how it ended.
    """

    key: str
    title: Text
    summary: Text
    introduction: Text
    conclusion: Text
    hands: tuple[str, ...]
    leader: int
    steps: tuple[Step, ...] = ()
    lead: tuple[SeatAction, ...] = ()
    totals: tuple[int, ...] = ()
    task: Text = ""
    won: Text = ""
    lost: Text = ""


def _play(cards: str) -> ActionMembers:
    return {"type": "play", "cards": cards.split()}


def _plays(seat: int, cards: str) -> SeatAction:
    return SeatAction(seat, _play(cards))


def _passes(*seats: int) -> tuple[SeatAction, ...]:
    return tuple(SeatAction(seat, PASS) for seat in seats)


_SINGLES: Final = Lesson(
    key="singles",
    title=_("Singles and passing"),
    summary=_("Take turns, beat a card, pass, and win a trick."),
    introduction=_(
        "Your aim is to get rid of all your cards before your opponent does. Cards are played in tricks: one "
        "player leads, and the others play something higher or pass. You join in the middle of a round."
    ),
    conclusion=_(
        "That was a trick: one player leads, then each plays higher or passes. It ends when everybody else "
        "has passed. The last one to play leads the next trick and captures the cards, some of which score."
    ),
    hands=("2r 3y 6o 9y Q", "2o 4r 7g K"),
    leader=1,
    lead=(_plays(1, "4r"),),
    steps=(
        Step(
            task=_("Your opponent has led a four. Play a higher card: tap your six, then press Play."),
            solution=_play("6o"),
            right=_(
                "A higher card beats a lower one. Its suit, that is its colour and shape, does not matter."
            ),
            otherwise=_("That beats the four too, but a six is enough. Save your high cards: try the six."),
            replies=(_plays(1, "7g"),),
        ),
        Step(
            task=_("Your opponent climbs to a seven. Beat it with your nine."),
            solution=_play("9y"),
            right=_("Your opponent passed, so the trick is yours: you take its cards, and you lead."),
            otherwise=_("That is allowed, but here your nine is enough to win the trick. Try the nine."),
            replies=_passes(1),
        ),
        Step(
            task=_("The leader may play anything. Get rid of your lowest card: lead the two."),
            solution=_play("2r"),
            right=_("Your opponent beats it with a king."),
            otherwise=_("You may lead that, but low cards are hard to get rid of later. Lead the two."),
            replies=(_plays(1, "K"),),
        ),
        Step(
            task=_(
                "Above the ten come jack, queen and king. Nothing you have beats a king, so press Pass. "
                "Passing costs nothing, and you may also pass when you could play."
            ),
            solution=PASS,
            right=_("Your opponent takes the trick and will lead the next one."),
            otherwise=_("Press Pass."),
        ),
    ),
)

_SETS: Final = Lesson(
    key="sets",
    title=_("Sets"),
    summary=_("Pairs, three of a kind and more."),
    introduction=_("Cards of the same rank can be played together: a pair, three of a kind, and so on."),
    conclusion=_("A set is beaten only by a set of as many cards and a higher rank."),
    hands=("2o 5r 5g 8o 8y 8g Tr Ty", "3r 4o 4g 6y 7r 9o 9g"),
    leader=1,
    lead=(_plays(1, "4o 4g"),),
    steps=(
        Step(
            task=_(
                "Your opponent has led a pair of fours. Beat it with a pair: tap both fives and play them."
            ),
            solution=_play("5r 5g"),
            right=_("A pair beats a lower pair. A single card could not, however high it is."),
            otherwise=_("That beats the fours, but the fives are enough. Keep the higher pairs for later."),
            replies=(_plays(1, "9o 9g"),),
        ),
        Step(
            task=_("A pair of nines. You have something higher: play your pair of tens."),
            solution=_play("Tr Ty"),
            right=_("Your opponent has no higher pair and passes. You lead."),
            otherwise=_("You may do that, but here you can win the trick: play the two tens."),
            replies=_passes(1),
        ),
        Step(
            task=_("Now lead a bigger set: play all three eights at once."),
            solution=_play("8o 8y 8g"),
            right=_(
                "Three cards gone in one play. Only three of a kind, nine or higher, would have beaten it."
            ),
            otherwise=_(
                "You may lead that. But the more cards you play at once, the better: lead the eights."
            ),
            replies=_passes(1),
        ),
    ),
)

_RUNS: Final = Lesson(
    key="runs",
    title=_("Runs"),
    summary=_("Three or more cards of one suit in sequence."),
    introduction=_("A run is three or more cards in sequence, all of one suit, such as 5-6-7 in green."),
    conclusion=_("A run is beaten only by a run of the same length that ends higher, in any suit."),
    hands=("3o 4o 5o 6o 5g 6g 7g 9y Tr", "2r 3r 4r 8y 8g To"),
    leader=1,
    lead=(_plays(1, "2r 3r 4r"),),
    steps=(
        Step(
            task=_("Your opponent has led the run 2-3-4 in red. Beat it with your three green cards, 5-6-7."),
            solution=_play("5g 6g 7g"),
            right=_("Three cards against three, and yours end higher. Your opponent passes."),
            otherwise=_("That beats it too, but it breaks up your four orange cards. Play 5-6-7 in green."),
            replies=_passes(1),
        ),
        Step(
            task=_("You lead. Play your longer run: all four orange cards, 3-4-5-6."),
            solution=_play("3o 4o 5o 6o"),
            right=_("Even low cards win in a long run: your opponent has no run of four."),
            otherwise=_(
                "You may lead that, but a long run is the best way to get rid of low cards. Lead it."
            ),
            replies=_passes(1),
        ),
    ),
)

_STAIRS: Final = Lesson(
    key="stairs",
    title=_("Stairs"),
    summary=_("Pairs, or triples, in sequence."),
    introduction=_(
        "A stair is two or more pairs in sequence, all in the same two suits: 6-6-7-7, each in red and "
        "green. Triples in the same three suits work as well."
    ),
    conclusion=_("A stair is beaten by a stair of the same size that ends higher."),
    hands=("2o 2y 3o 3y 4o 4y 6r 6g 7r 7g Tr", "4r 4g 5r 5g 9o 9y K"),
    leader=1,
    lead=(_plays(1, "4r 4g 5r 5g"),),
    steps=(
        Step(
            task=_("Your opponent has led a stair of two pairs, fours and fives. Beat it with 6-6-7-7."),
            solution=_play("6r 6g 7r 7g"),
            right=_("Two pairs against two pairs, and yours end higher."),
            otherwise=_("You may do that, but you can win this trick: play the sixes and sevens together."),
            replies=_passes(1),
        ),
        Step(
            task=_("Lead your long stair: the twos, threes and fours together, six cards in one play."),
            solution=_play("2o 2y 3o 3y 4o 4y"),
            right=_("Six of your lowest cards gone at once."),
            otherwise=_("You may lead that. But six cards in one play are better: twos, threes and fours."),
            replies=_passes(1),
        ),
    ),
)

_WILD_CARDS: Final = Lesson(
    key="wild-cards",
    title=_("Wild cards"),
    summary=_("What your jack, queen and king can stand for."),
    introduction=_(
        "Every player has one jack, one queen and one king, and everybody sees them. Beside other cards they "
        "are wild: each stands for any lower card that you need."
    ),
    conclusion=_(
        "Wild cards complete sets, runs and stairs. You have only three of them in each round, and the "
        "player who captures them scores for them."
    ),
    hands=("2g 3y 4y 6y 7r 7g 8o 9o J Q K", "5r 5o 5g 6o Tg"),
    leader=1,
    lead=(_plays(1, "5r 5o 5g"),),
    steps=(
        Step(
            task=_(
                "Your opponent has led three fives, and you have only two sevens. Add the jack: it stands "
                "for a third seven."
            ),
            solution=_play("7r 7g J"),
            right=_("Two sevens and a jack are three sevens."),
            otherwise=_("That is allowed, but it costs more than you need. Play both sevens with the jack."),
            replies=_passes(1),
        ),
        Step(
            task=_(
                "A wild card also fills a gap. Lead 3, 4 and 6 in yellow with the queen in place of the five."
            ),
            solution=_play("3y 4y 6y Q"),
            right=_("The queen was the yellow five of your run 3-4-5-6."),
            otherwise=_("You may lead that. Try the run, though: 3, 4 and 6 in yellow, with the queen."),
            replies=_passes(1),
        ),
        Step(
            task=_(
                "Some cards can be read in two ways: 8 and 9 with the king are 7-8-9 or 8-9-10. Select them, "
                "see the choice above your cards, and play 8-9-10."
            ),
            solution={**_play("8o 9o K"), "as": {"kind": "run", "top": 10, "width": 1, "length": 3}},
            right=_("The higher one is chosen for you. Tap another one if you want it."),
            otherwise=_("You may play that, but 8-9-10 is harder to beat. Choose it, with 8, 9 and king."),
            replies=_passes(1),
        ),
    ),
)

_BOMBS: Final = Lesson(
    key="bombs",
    title=_("Bombs"),
    summary=_("Beat anything, at the price of the trick."),
    introduction=_(
        "A bomb beats everything that is not a bomb. The lowest bomb is 3-5-7-9 in four different suits, the "
        "highest 3-5-7-9 in one suit. Between them come J-Q, J-K, Q-K and J-Q-K without other cards."
    ),
    conclusion=_(
        "A bomb gives you the lead, but your opponent captures the cards of that trick. Bomb when the lead "
        "is worth more than the cards."
    ),
    hands=("2y 3r 5o 7y 9g 6r 6o Q K", "4g 4o 8r 8o 8y 8g J Q"),
    leader=1,
    lead=(_plays(1, "8r 8o 8y 8g"),),
    steps=(
        Step(
            task=_(
                "Four eights: you have nothing of that kind. Play the bomb 3-5-7-9, each in another suit."
            ),
            solution=_play("3r 5o 7y 9g"),
            right=_(
                "You won the trick and lead, but your opponent captured its cards: that is the price of a "
                "bomb."
            ),
            otherwise=_("You may do that, but try the lowest bomb here: 3, 5, 7 and 9."),
            replies=_passes(1),
        ),
        Step(
            task=_("Lead your pair of sixes."),
            solution=_play("6r 6o"),
            right=_("Now your opponent bombs your sixes, with jack and queen."),
            otherwise=_("You may lead that, but lead the pair of sixes here."),
            replies=(_plays(1, "J Q"),),
        ),
        Step(
            task=_("A higher bomb beats a lower one. Answer with queen and king."),
            solution=_play("Q K"),
            right=_("You lead again, and your opponent captures the trick with both bombs in it."),
            otherwise=_("You may pass, but you have a higher bomb: play queen and king."),
            passed=_("You may pass, but you have a higher bomb: play queen and king."),
            replies=_passes(1),
        ),
    ),
)

_CAPTURES: Final = Lesson(
    key="captures",
    title=_("Bombs with three players"),
    summary=_("Choose who captures the trick that you bombed."),
    introduction=_(
        "With three players, the winner of a bombed trick chooses which opponent captures it. Here you have "
        "60 points in the match, one opponent has 40 and the other 150."
    ),
    conclusion=_(
        "You lead the next trick, and the chosen opponent scores for the captured cards. So choose the one "
        "who is less dangerous to you."
    ),
    hands=("2o 4g 6y 9r J Q", "8r 8o 8b Tb 3y", "3g 5y 7b 9o"),
    leader=1,
    totals=(60, 40, 150),
    lead=(_plays(1, "8r 8o 8b"), *_passes(2)),
    steps=(
        Step(
            task=_("Three eights, and the next player passed. Bomb with jack and queen."),
            solution=_play("J Q"),
            right=_("Nobody can beat it, so the trick is over."),
            otherwise=_("You may pass, but try the bomb: jack and queen."),
            passed=_("You may pass, but try the bomb: jack and queen."),
            replies=_passes(1, 2),
        ),
        Step(
            task=_("Choose who captures the trick. Who is further from winning the match?"),
            solution={"type": "award", "to": 1},
            right=_("Right: 40 points are far from the end of a match, 150 are closer."),
            otherwise=_("You may do that, but this opponent already has 150 points. Choose the other one."),
        ),
    ),
)

_BETS: Final = Lesson(
    key="bets",
    title=_("Bets"),
    summary=_("Bet on going out first."),
    introduction=_(
        "This is a whole hand: 14 cards and your jack, queen and king. Before you play your first card you "
        "may bet 15 or 30 points that you will go out first."
    ),
    conclusion=_(
        "If you go out first, you score your bet. If your opponent does, your opponent scores it. Bet when "
        "your cards go in a few plays. With other hands just play: you need not bet."
    ),
    hands=(
        "2g 3g 4g 5g 6g 7g 8g 9g Tg 9r 9o 9y Tr To J Q K",
        "2r 2o 3r 3y 4o 4y 5r 5o 6y 7r 7o 8r 8y Ty J Q K",
    ),
    leader=0,
    steps=(
        Step(
            task=_("Look at your hand: nine green cards in sequence. Bet 30 points."),
            solution={"type": "bet", "amount": 30},
            right=_("Your bet is made. It cannot be changed any more."),
            otherwise=_("You may do that. But this hand is worth the highest bet: bet 30 first."),
        ),
        Step(
            task=_("Now play the whole run, from the green two to the green ten."),
            solution=_play("2g 3g 4g 5g 6g 7g 8g 9g Tg"),
            right=_(
                "Nine cards gone. The rest, three nines, two tens and three wild cards, will follow soon."
            ),
            otherwise=_("You may lead that, but play the longest run: all nine green cards."),
            replies=_passes(1),
        ),
    ),
)

_GOING_OUT: Final = Lesson(
    key="going-out",
    title=_("Going out and the score"),
    summary=_("Play your last card and read the score sheet."),
    introduction=_("The round is nearly over: you have three cards left and your opponent has five."),
    conclusion=_(
        "Going out scored 5 points for each of the five cards: 25. Captured cards score too: each 3, 5, 7 "
        "and 9 one point, a jack 2, a queen 3, a king 5. The player who goes out first also gets the cards "
        "left in the other hand and the haggis, the cards that were not dealt. Usually the first to 250 "
        "points wins."
    ),
    hands=("4o 4y 9r", "3g 6y 7o 8r To"),
    leader=0,
    steps=(
        Step(
            task=_("Lead the play that is harder to beat first: your pair of fours."),
            solution=_play("4o 4y"),
            right=_("Your opponent has no pair. You lead again, with one card left."),
            otherwise=_(
                "You may lead that, but a ten would beat it. Your opponent has no pair: lead the fours."
            ),
            replies=_passes(1),
        ),
        Step(
            task=_(
                "Play your last card and go out. You score 5 points for each card that your opponent still "
                "has."
            ),
            solution=_play("9r"),
            right=_("You went out first. The round is over at once, and it is scored."),
            otherwise=_("Play your nine."),
        ),
    ),
)

_PRACTICE: Final = Lesson(
    key="practice",
    title=_("A short round"),
    summary=_("Play eight cards against an AI, as you like."),
    introduction=_("Now you are on your own: eight cards each, and you lead."),
    task=_(
        "Get rid of your cards before your opponent does. Play together what belongs together, and keep "
        "something strong to win the lead back. Press “What can I play?” if you are stuck."
    ),
    conclusion=_("That is the whole game. You are ready for a real match."),
    won=_("You went out first. Well played!"),
    lost=_("Your opponent went out first this time. Play it again if you like: every choice counts."),
    hands=("3r 3o 6y 7y 8y Tr Ty K", "2y 4g 5g 6r 9r 9o To Q"),
    leader=0,
)

LESSONS: Final[Sequence[Lesson]] = (
    _SINGLES,
    _SETS,
    _RUNS,
    _STAIRS,
    _WILD_CARDS,
    _BOMBS,
    _CAPTURES,
    _BETS,
    _GOING_OUT,
    _PRACTICE,
)
