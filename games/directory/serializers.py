"""Response schemas of the directory."""

from games.accounts.serializers import ProfileSerializer
from games.api.schema.fields import ResponseSerializer
from games.api.serializers import DateTimeField, StrictBooleanField


class ListedPlayerSerializer(ProfileSerializer):
    """A player in the directory."""

    online = StrictBooleanField(
        help_text="Whether the player has an open stream and does not hide it, as of a few seconds ago."
    )


class FollowSerializer(ListedPlayerSerializer):
    """A player whom you follow."""

    since = DateTimeField(help_text="Since when you follow the player.")


class BlockSerializer(ProfileSerializer):
    """A player whom you block."""

    since = DateTimeField(help_text="Since when you block the player.")


class RelationSerializer(ResponseSerializer):
    """How you stand to another player."""

    follows = StrictBooleanField(help_text="Whether you follow the player.")
    blocks = StrictBooleanField(help_text="Whether you block the player.")
