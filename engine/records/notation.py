"""The text notation of records: readable, and convertible both ways without loss (see docs/records.md)."""

from engine.records.notation_reading import from_text
from engine.records.notation_writing import to_text

__all__ = ["from_text", "to_text"]
