"""What clients are told of the routes of push messages."""

from typing import Final

from games.api.push import shapes
from games.api.schema.forms import push as forms
from games.api.schema.operation import ACCEPTED, CREATED, NO_CONTENT, OK, Operation, Page
from games.api.schema.prose import PUSH
from games.api.shapes import EmptyShape

READ_PUSH_KEY: Final = Operation(
    id="readPushKey",
    summary="The key that a browser subscribes with",
    description="Where the service sends no push messages it is 404 with `push_not_offered`.",
    tag=PUSH,
    answers={OK: forms.PushKeyForm},
    problems=("push_not_offered",),
)
LIST_DEVICES: Final = Operation(
    id="listDevices",
    summary="Your devices",
    description="The newest first. A device that its push service knows no more is taken off the list.",
    tag=PUSH,
    answers={OK: Page(forms.DeviceForm)},
)
ADD_DEVICE: Final = Operation(
    id="addDevice",
    summary="Be told things on a device",
    description=(
        "Takes what `PushSubscription.toJSON()` gives, but for `expirationTime`. The same again is the same "
        "device. What is told stands in `notifications.push` of `/me`; a message is the JSON of `kind`, "
        "`title`, `body`, `path` and `tag`, and holds nothing that a spectator may not see."
    ),
    tag=PUSH,
    body=shapes.DeviceShape,
    answers={CREATED: forms.DeviceForm},
    problems=("limit_reached", "push_not_offered"),
    makes={"device_id": "/id"},
)
REMOVE_DEVICE: Final = Operation(
    id="removeDevice",
    summary="Be told nothing more on a device",
    description="What is on its way still arrives.",
    tag=PUSH,
    answers={NO_CONTENT: None},
)
TEST_DEVICE: Final = Operation(
    id="testDevice",
    summary="Send a test to a device",
    description="A message of the kind `test`. How it went stands in `told_at` and `failing_since`.",
    tag=PUSH,
    body=EmptyShape,
    answers={ACCEPTED: forms.DeviceForm},
    problems=("push_not_offered",),
)
