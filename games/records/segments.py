"""Lines of text as segments of one gzip stream.

A line is compressed once, when it is stored. Its segment ends at a byte boundary and refers to nothing before
it (`Z_FULL_FLUSH`), so segments in any order, between a header and a trailer, are one gzip stream: it is sent
and written to files without compressing anything again.
"""

import struct
import zlib
from collections.abc import Iterable, Iterator
from typing import Final

LEVEL: Final = 9
# Deflate without the header and the trailer of zlib.
_RAW: Final = -zlib.MAX_WBITS
# Magic number, method, no flags, no time, no extra flags, unknown operating system.
_GZIP_HEADER: Final = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
_EMPTY_LAST_BLOCK: Final = b"\x03\x00"
_SIZE_MODULUS: Final = 1 << 32


def compress_segment(text: bytes) -> bytes:
    """Return the segment of a text.

    >>> expand_segment(compress_segment(b"a line"))
    b'a line'
    """
    compressor = zlib.compressobj(LEVEL, zlib.DEFLATED, _RAW)
    return compressor.compress(text) + compressor.flush(zlib.Z_FULL_FLUSH)


def expand_segment(segment: bytes | memoryview) -> bytes:
    """Return the text of a segment."""
    return zlib.decompressobj(_RAW).decompress(segment)


def gzip_chunks(segments: Iterable[bytes | memoryview]) -> Iterator[bytes | memoryview]:
    """Yield the chunks of a gzip stream of these segments.

    They are expanded for the checksum alone, which takes a hundredth of the time of compressing them.

    >>> import gzip
    >>> gzip.decompress(b"".join(gzip_chunks([compress_segment(b"one "), compress_segment(b"two")])))
    b'one two'
    """
    yield _GZIP_HEADER
    checksum, size = 0, 0
    for segment in segments:
        text = expand_segment(segment)
        checksum = zlib.crc32(text, checksum)
        size += len(text)
        yield segment
    yield _EMPTY_LAST_BLOCK + struct.pack("<LL", checksum, size % _SIZE_MODULUS)
