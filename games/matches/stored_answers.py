"""Store responses without the names of players, so that a deleted account leaves none behind.

A name is replaced by the id of its player, and looked up again when the response is repeated. So the repeated
response is the same unless the player has been deleted since.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from games.core import compact_json
from games.identity.models import Player

# Members whose value is the name of a player. In a string, the quotation marks would be escaped.
_NAME: Final = re.compile(r'"(username|maker)":"([A-Za-z0-9_-]+)"')
# The name of a player who was deleted while the response was stored; it is reserved, so nobody has it.
_UNKNOWN: Final = "deleted"
_PLACEHOLDER: Final = re.compile(r'\{"\$player":([0-9]+)\}')


def names_in(text: str) -> set[str]:
    r"""Return the names of players in compact JSON.

    >>> names_in('{"username":"heather","client_seed":"\\"maker\\":"}')
    {'heather'}
    """
    return {name for _, name in _NAME.findall(text)}


def replace_names(text: str, ids: Mapping[str, int]) -> str:
    """Replace the names of players in compact JSON by their ids, and names without an id by a zero.

    >>> replace_names('{"maker":"heather","username":"deleted-meanwhile"}', {"heather": 7})
    '{"maker":{"$player":7},"username":{"$player":0}}'
    """
    return _NAME.sub(lambda found: f'"{found[1]}":{{"$player":{ids.get(found[2], 0)}}}', text)


def restore_names(body: Any) -> Any:  # noqa: ANN401 -- a response
    """Return a stored response with the current names of its players."""
    text = compact_json.dump_json(body).decode()
    ids = {int(found) for found in _PLACEHOLDER.findall(text)}
    if not ids:
        return body
    names = dict(Player.objects.filter(pk__in=ids).values_list("pk", "username"))
    return json.loads(_PLACEHOLDER.sub(lambda found: f'"{names.get(int(found[1]), _UNKNOWN)}"', text))
