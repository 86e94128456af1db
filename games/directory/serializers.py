"""Response schemas of the directory."""

from games.accounts.serializers import ProfileSerializer
from games.api.serializers import DateTimeField, StrictBooleanField


class ListedPlayerSerializer(ProfileSerializer):
    """A player in the directory."""

    online = StrictBooleanField(
        help_text="Whether the player has an open stream and does not hide it, as of a few seconds ago."
    )


class FollowSerializer(ListedPlayerSerializer):
    """A player whom you follow."""

    since = DateTimeField(help_text="Since when you follow the player.")
