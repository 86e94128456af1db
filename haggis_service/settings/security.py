"""The content security policy: pages load nothing from other origins and cannot be framed.

Views that need more use `csp.decorators`.
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
