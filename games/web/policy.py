"""What browsers are told of every page, beyond what the settings say."""

from typing import Final

# No text ever becomes markup or code in them: browsers that know how hold the scripts to it.
TEXT_STAYS_TEXT: Final = {"require-trusted-types-for": ["'script'"]}
