"""Endpoints of the directory and of whom a player follows or blocks."""

from typing import ClassVar, Final

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.auth import ANYONE, SIGNED_IN, AccessRule, current_player, require_player
from games.api.pagination import (
    Order,
    boolean_parameter,
    choice_parameter,
    invalid_parameter,
    paginate,
    text_parameter,
)
from games.api.schema.deprecation import CREATED_NAME
from games.api.schema.operations import NO_CONTENT, OK, PROFILE, Link, Operation, Page, Parameter
from games.api.serializers import EmptyRequestSerializer
from games.api.views import ApiView, no_content
from games.core.languages import message
from games.core.times import format_time
from games.directory.models import Follow
from games.directory.queries import (
    SEARCHED_NAMES,
    DirectoryFilter,
    ListedPlayerDocument,
    blocked_by,
    followed_by,
    listed_players,
    relation,
    render_listed_player,
)
from games.directory.serializers import (
    BlockSerializer,
    FollowSerializer,
    ListedPlayerSerializer,
    RelationSerializer,
)
from games.directory.services import block, follow, unblock, unfollow
from games.identity.models import LISTED_KINDS, MAX_DISPLAY_NAME_LENGTH, Block, Player, Scope
from games.identity.queries import render_profile
from games.realtime.online import online_players

MIN_SEARCH_LENGTH: Final = 2
_NEWEST_FIRST: Final = "-created_at"
# The last two are former names of the others.
_ORDERINGS: Final = (_NEWEST_FIRST, "created_at", "-created", "created")

LIST_PLAYERS: Final = Operation(
    id="listPlayers",
    summary="List players",
    description=(
        "Registered people and bots; guests are not listed. Unknown and repeated parameters are rejected."
    ),
    tag=PROFILE,
    parameters=(
        Parameter(
            name="q",
            schema={
                "type": "string",
                "minLength": MIN_SEARCH_LENGTH,
                "maxLength": MAX_DISPLAY_NAME_LENGTH,
            },
            description=(
                "Only players whose username or display name begins with this text, ignoring case: the first "
                f"{SEARCHED_NAMES} people and bots of each in alphabetical order."
            ),
        ),
        Parameter(
            name="kind",
            schema={"type": "string", "enum": list(LISTED_KINDS)},
            description="Only people or only bots.",
        ),
        Parameter(
            name="online",
            schema={"type": "boolean"},
            description="`true`: only players who have an open stream and do not hide it.",
        ),
        Parameter(
            name="follows",
            schema={"type": "boolean"},
            description="`true`: only players whom you follow; needs a token.",
        ),
        Parameter(
            name="ordering",
            schema={"type": "string", "enum": list(_ORDERINGS), "default": _NEWEST_FIRST},
            description=(
                "Newest or oldest accounts first. `-created` and `created` are deprecated and rejected from "
                f"{CREATED_NAME.sunset}."
            ),
        ),
    ),
    answers={OK: Page(ListedPlayerSerializer)},
    links=(Link("readPlayer", {"username": "$response.body#/results/0/username"}),),
)
LIST_FOLLOWS: Final = Operation(
    id="listFollows",
    summary="List the players whom you follow",
    description="The latest first. Nobody else can see whom you follow.",
    tag=PROFILE,
    answers={OK: Page(FollowSerializer)},
)
FOLLOW: Final = Operation(
    id="followPlayer",
    summary="Follow a player",
    description="The player is not told. At most 500 players; following a player again changes nothing.",
    tag=PROFILE,
    body=EmptyRequestSerializer,
    answers={OK: FollowSerializer},
    problems=("limit_reached",),
)
UNFOLLOW: Final = Operation(
    id="unfollowPlayer",
    summary="Stop following a player",
    description="Does nothing if you do not follow the player.",
    tag=PROFILE,
    answers={NO_CONTENT: None},
)
LIST_BLOCKS: Final = Operation(
    id="listBlocks",
    summary="List the players whom you block",
    description="The latest first. Nobody else can see whom you block.",
    tag=PROFILE,
    answers={OK: Page(BlockSerializer)},
)
BLOCK: Final = Operation(
    id="blockPlayer",
    summary="Block a player",
    description=(
        "From now on neither of you can join, invite, answer or be paired with the other: such requests get "
        "403 `join_refused`. The bots of both are included; matches that have started go on. The player is "
        "not told, and you stop following them. At most 200 players; blocking a player again changes nothing."
    ),
    tag=PROFILE,
    body=EmptyRequestSerializer,
    answers={OK: BlockSerializer},
    problems=("limit_reached",),
)
UNBLOCK: Final = Operation(
    id="unblockPlayer",
    summary="Stop blocking a player",
    description="Does nothing if you do not block the player.",
    tag=PROFILE,
    answers={NO_CONTENT: None},
)
READ_RELATION: Final = Operation(
    id="readRelation",
    summary="Get whether you follow or block a player",
    description="What a page that shows a player needs for its buttons.",
    tag=PROFILE,
    answers={OK: RelationSerializer},
    problems=("not_found",),
)


class PlayersView(ApiView):
    """The directory of players."""

    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"GET": ANYONE}
    operations: ClassVar[dict[str, Operation]] = {"GET": LIST_PLAYERS}

    def get(self, request: Request) -> Response:
        """List the players that the parameters select."""
        ordering = choice_parameter(request, "ordering", _ORDERINGS) or _NEWEST_FIRST
        directory_filter = DirectoryFilter(
            search=_search_parameter(request),
            kind=choice_parameter(request, "kind", LISTED_KINDS),
            online=boolean_parameter(request, "online") or False,
            follows=boolean_parameter(request, "follows") or False,
        )
        players = listed_players(directory_filter, current_player(request))
        online = online_players()
        order = Order(column="pk", value_type=int, descending=ordering.startswith("-"))

        def show(player: Player) -> ListedPlayerDocument:
            return render_listed_player(player, online)

        return Response(paginate(request, players, order=order, show=show))


class FollowsView(ApiView):
    """The players whom the caller follows."""

    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"GET": SIGNED_IN}
    operations: ClassVar[dict[str, Operation]] = {"GET": LIST_FOLLOWS}

    def get(self, request: Request) -> Response:
        """List them, the latest first."""
        online = online_players()
        return Response(
            paginate(
                request,
                followed_by(require_player(request)),
                order=Order(column="pk", value_type=int),
                show=lambda each: _render_follow(each, online),
            )
        )


class OneFollowView(ApiView):
    """One player whom the caller follows, or not."""

    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"PUT": Scope.ACCOUNT_WRITE, "DELETE": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"PUT": FOLLOW, "DELETE": UNFOLLOW}

    def put(self, request: Request, username: str) -> Response:
        """Follow the player."""
        self.validated_body(EmptyRequestSerializer)
        followed = follow(player=require_player(request), username=username)
        return Response(_render_follow(followed, online_players()))

    def delete(self, request: Request, username: str) -> Response:
        """Stop following the player."""
        unfollow(player=require_player(request), username=username)
        return no_content()


class BlocksView(ApiView):
    """The players whom the caller blocks."""

    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"GET": SIGNED_IN}
    operations: ClassVar[dict[str, Operation]] = {"GET": LIST_BLOCKS}

    def get(self, request: Request) -> Response:
        """List them, the latest first."""
        blocks = blocked_by(require_player(request))
        return Response(
            paginate(request, blocks, order=Order(column="pk", value_type=int), show=_render_block)
        )


class OneBlockView(ApiView):
    """One player whom the caller blocks, or not."""

    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"PUT": Scope.ACCOUNT_WRITE, "DELETE": Scope.ACCOUNT_WRITE}
    operations: ClassVar[dict[str, Operation]] = {"PUT": BLOCK, "DELETE": UNBLOCK}

    def put(self, request: Request, username: str) -> Response:
        """Block the player."""
        self.validated_body(EmptyRequestSerializer)
        return Response(_render_block(block(player=require_player(request), username=username)))

    def delete(self, request: Request, username: str) -> Response:
        """Stop blocking the player."""
        unblock(player=require_player(request), username=username)
        return no_content()


class RelationView(ApiView):
    """How the caller stands to one player."""

    strict_parameters: ClassVar[bool] = True
    access: ClassVar[dict[str, AccessRule]] = {"GET": SIGNED_IN}
    operations: ClassVar[dict[str, Operation]] = {"GET": READ_RELATION}

    def get(self, request: Request, username: str) -> Response:
        """Return whether the caller follows and blocks the player."""
        return Response(relation(require_player(request), username))


def _search_parameter(request: Request) -> str | None:
    text = text_parameter(request, "q")
    if text is not None and not MIN_SEARCH_LENGTH <= len(text) <= MAX_DISPLAY_NAME_LENGTH:
        raise invalid_parameter(
            "q",
            message(
                "q has {least} to {most} characters.",
                least=MIN_SEARCH_LENGTH,
                most=MAX_DISPLAY_NAME_LENGTH,
            ),
        )
    return text


def _render_follow(row: Follow, online: frozenset[int]) -> dict[str, object]:
    return {**render_listed_player(row.followed, online), "since": format_time(row.at)}


def _render_block(row: Block) -> dict[str, object]:
    return {**render_profile(row.blocked), "since": format_time(row.at)}
