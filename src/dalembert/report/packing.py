"""Numbers of a run as small blobs of bytes, which the page unpacks.

Curves are lossless: each value is predicted by the polynomial through the five before it, the bits are XORed with
those of the prediction, and bytes of equal weight are stored side by side, which gzip then finds little in.
Prediction,

    s = 0;  s += w_j x_{i-j}  for j = 1 … 5,  w = 5, −10, 10, −5, 1,

is added up in this order without fused operations, here and in the page alike, so that every double comes back to the
last bit; the first five values, and those whose prediction is not finite, are XORed with zero.

Poses are whole numbers, multiples of a quantum, stored as differences of some order, modulo 2^(8 n) in n bytes.
"""

from __future__ import annotations

import base64
import gzip
import zlib
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

WEIGHTS = (5.0, -10.0, 10.0, -5.0, 1.0)
#: Curves that are not lossless are rounded to this part of their range.
ROUNDING = 1e-9
#: Order of the differences of rounded curves, and bytes of each.
_ROUNDED_ORDER, _ROUNDED_BYTES = 4, 5
Floats = NDArray[np.float64]


@dataclass
class Blobs:
    """Compressed pieces, one after the other; ``places`` says where each begins and how long it is."""

    pieces: list[bytes] = field(default_factory=list)
    places: list[tuple[int, int]] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Bytes of all pieces together."""
        return sum(len(piece) for piece in self.pieces)

    def add(self, piece: bytes) -> int:
        """The number of a new piece, which is compressed already."""
        self.places.append((self.size if not self.places else sum(self.places[-1]), len(piece)))
        self.pieces.append(piece)
        return len(self.pieces) - 1

    def text(self) -> str:
        """All pieces as base64."""
        return base64.b64encode(b"".join(self.pieces)).decode("ascii")


def compressed(data: bytes) -> bytes:
    """gzip without a date, so that equal runs give equal files."""
    return gzip.compress(data, compresslevel=6, mtime=0)


def planes(numbers: NDArray[Any], n_bytes: int) -> bytes:
    """The lowest bytes of all numbers, then the next higher ones, …"""
    columns = np.ascontiguousarray(numbers, dtype="<u8").view(np.uint8).reshape(-1, 8)
    return np.ascontiguousarray(columns[:, :n_bytes].T).tobytes()


def zigzag(numbers: NDArray[np.int64]) -> NDArray[np.uint64]:
    """0, −1, 1, −2, … as 0, 1, 2, 3, …: small numbers of both signs have zeros in front."""
    return ((numbers << 1) ^ (numbers >> 63)).astype(np.uint64)


def packed_curve(x: Floats) -> bytes:
    """A curve, lossless."""
    x = np.ascontiguousarray(x, dtype=np.float64)
    guess = np.zeros(x.size)
    n = len(WEIGHTS)
    if x.size > n:
        with np.errstate(all="ignore"):
            s = np.zeros(x.size - n)
            for j, w in enumerate(WEIGHTS, start=1):
                s = s + w * x[n - j : x.size - j]
        guess[n:] = np.where(np.isfinite(s), s, 0.0)
    return compressed(planes(x.view(np.uint64) ^ guess.view(np.uint64), 8))


def unpacked_curve(piece: bytes, n: int) -> Floats:
    """Inverse of :func:`packed_curve`, value by value as the page does it."""
    bits = np.frombuffer(gzip.decompress(piece), np.uint8).reshape(8, n).T.copy().view("<u8").ravel()
    x = np.zeros(n)
    for i in range(n):
        s = 0.0
        if i >= len(WEIGHTS):
            with np.errstate(all="ignore"):
                for j, w in enumerate(WEIGHTS, start=1):
                    s += w * x[i - j]
        guess = np.array([s if np.isfinite(s) else 0.0])
        x[i : i + 1] = (bits[i : i + 1] ^ guess.view(np.uint64)).view(np.float64)
    return x


def rounded_curve(x: Floats) -> tuple[bytes, float, float]:
    """A curve in multiples of a quantum above its lowest value: bytes, lowest value, quantum.  It must be finite."""
    low, high = float(x.min()), float(x.max())
    quantum = (high - low) * ROUNDING or 1.0
    numbers = np.rint((x - low) / quantum).astype(np.int64)
    return compressed(planes(zigzag(differences(numbers, _ROUNDED_ORDER)), _ROUNDED_BYTES)), low, quantum


def differences(numbers: NDArray[np.int64], order: int) -> NDArray[np.int64]:
    """Differences along the first axis, those before it being zero."""
    for _ in range(order):
        numbers = np.diff(numbers, axis=0, prepend=np.zeros_like(numbers[:1]))
    return numbers


@dataclass(frozen=True)
class PackedTrack:
    """Columns of whole numbers: x = low + quantum · number."""

    piece: bytes
    n_bytes: int
    order: int
    low: list[float]
    quantum: float

    def unpacked(self, n: int) -> Floats:
        """Columns (n, m) as the page sees them."""
        m = len(self.low)
        bytes_ = np.frombuffer(gzip.decompress(self.piece), np.uint8).reshape(self.n_bytes, n * m)
        z = sum(row.astype(np.uint64) << np.uint64(8 * k) for k, row in enumerate(bytes_))
        numbers = (z >> np.uint64(1)).astype(np.int64) ^ -(z & np.uint64(1)).astype(np.int64)
        numbers = numbers.reshape(m, n).T
        turn = np.int64(2 ** (8 * self.n_bytes))
        for _ in range(self.order):
            numbers = np.cumsum(numbers, axis=0) % turn
        return np.asarray(self.low) + self.quantum * (numbers % turn)


def packed_track(x: Floats, quantum: float) -> PackedTrack:
    """Columns of x (n_frames, m) in multiples of a quantum; what is not finite becomes the lowest value."""
    with np.errstate(invalid="ignore"):
        finite = np.where(np.isfinite(x), x, np.nan)
    low = np.nan_to_num(np.nanmin(np.where(np.isnan(finite), np.inf, finite), axis=0), posinf=0.0)
    numbers = np.rint((np.where(np.isnan(finite), low, finite) - low) / quantum).astype(np.int64)
    largest = int(numbers.max(initial=0))
    n_bytes = next((n for n in (1, 2, 3, 4) if largest < 2 ** (8 * n)), 6)
    order = _best_order(numbers, n_bytes)
    return PackedTrack(
        compressed(planes(_wrapped(differences(numbers, order), n_bytes).T.ravel(), n_bytes)), n_bytes, order,
        low.tolist(), float(quantum),
    )  # fmt: skip


def _wrapped(numbers: NDArray[np.int64], n_bytes: int) -> NDArray[np.uint64]:
    """Differences modulo 2^(8 n), nearest to zero, as zigzag: sums modulo 2^(8 n) undo them."""
    turn, half = np.int64(2 ** (8 * n_bytes)), np.int64(2 ** (8 * n_bytes - 1))
    return zigzag((numbers + half) % turn - half)


def _best_order(numbers: NDArray[np.int64], n_bytes: int) -> int:
    """Order of the differences that compresses some columns best: two for rounded motions, three for smooth ones."""
    few = numbers[:, :: max(1, numbers.shape[1] // 12)]
    sizes = {
        order: len(zlib.compress(planes(_wrapped(differences(few, order), n_bytes).T.ravel(), n_bytes), 1))
        for order in (1, 2, 3)
    }
    return min(sizes, key=lambda order: sizes[order])
