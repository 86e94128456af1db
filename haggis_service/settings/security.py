"""What a page of ours may load, and who may show it: nothing from elsewhere, nobody.

Pages that need more say so where they are made (`csp.decorators`).
"""

from typing import Any, Final

from csp.constants import NONE, SELF

CONTENT_SECURITY_POLICY: Final[dict[str, Any]] = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
