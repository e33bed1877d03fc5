"""Where frames come from: motion JPEG over HTTP, and what OpenCV opens (RTSP, V4L2, video files), with timeouts.

Each source blocks in :meth:`FrameSource.read`, in a thread of its own, for at most a few seconds.
"""

from __future__ import annotations

import http.client
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import urlsplit

import cv2
import numpy as np

from vision.image import Image
from vision.table.frames import BadFrameError, decode

OPEN_SECONDS: Final = 5.0
READ_SECONDS: Final = 3.0
_MOST_PART_BYTES: Final = 16 * 1024 * 1024
_MOST_LINE_BYTES: Final = 4096
_MOST_LINES: Final = 64
_OK: Final = 200
_PICTURES: Final = (".jpg", ".jpeg", ".png")


class SourceError(Exception):
    """The camera cannot be reached, or stopped; the text says what happened."""


class FrameSource(Protocol):
    """An open camera."""

    def read(self) -> Image | str:
        """Return the next picture, or in one word why it is none; raise :class:`SourceError` at the end."""
        ...

    def close(self) -> None:
        """Let the camera go."""
        ...


def open_source(address: str, fps: float) -> FrameSource:
    """Open a camera by its address; raise :class:`SourceError`. ``fps`` is the pace of a file."""
    scheme, _, rest = address.partition(":")
    if scheme == "http":
        return MotionJpeg(address)
    if scheme == "file" and Path(rest).is_dir():
        return PictureFolder(Path(rest), fps)
    if scheme == "file":
        return OpenCvSource(rest, cv2.CAP_FFMPEG, pace=fps)
    if scheme == "v4l2":
        return OpenCvSource(rest, cv2.CAP_V4L2)
    return OpenCvSource(address, cv2.CAP_FFMPEG)


class MotionJpeg:
    """A stream ``multipart/x-mixed-replace`` of JPEG pictures, as network cameras offer it."""

    def __init__(self, address: str, timeout_seconds: float = READ_SECONDS) -> None:
        parts = urlsplit(address)
        try:
            self._connection = http.client.HTTPConnection(
                parts.hostname or "", parts.port or 80, timeout=timeout_seconds
            )
            self._connection.request(
                "GET", f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
            )
            self._response = self._connection.getresponse()
        except (OSError, http.client.HTTPException, ValueError) as error:
            message = f"the camera does not answer: {error}"
            raise SourceError(message) from error
        if self._response.status != _OK:
            message = f"the camera answers {self._response.status} {self._response.reason}"
            self.close()
            raise SourceError(message)

    def read(self) -> Image | str:
        """Return the next picture of the stream."""
        try:
            data = self._part()
        except (OSError, http.client.HTTPException, ValueError) as error:
            message = f"the camera's stream broke off: {error}"
            raise SourceError(message) from error
        try:
            return decode(data)
        except BadFrameError as error:
            return str(error)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _part(self) -> bytes:
        length = -1
        for _ in range(_MOST_LINES):
            line = self._response.readline(_MOST_LINE_BYTES)
            if not line:
                message = "it ended"
                raise ValueError(message)
            name, _, value = line.decode("latin-1").partition(":")
            if name.strip().lower() == "content-length":
                length = int(value)
            elif not line.strip() and length >= 0:
                break
        if not 0 < length <= _MOST_PART_BYTES:
            message = f"a part of {length} bytes"
            raise ValueError(message)
        data = self._response.read(length)
        if len(data) < length:
            message = "it ended within a picture"
            raise ValueError(message)
        return data


class OpenCvSource:
    """What OpenCV opens; its timeouts hold for network streams and for V4L2 (docs/decisions/0062)."""

    def __init__(self, address: str, backend: int, pace: float = 0.0) -> None:
        timeouts = [
            *(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, round(OPEN_SECONDS * 1000)),
            *(cv2.CAP_PROP_READ_TIMEOUT_MSEC, round(READ_SECONDS * 1000)),
        ]
        self._between = 1 / pace if pace else 0.0
        try:
            self._capture = cv2.VideoCapture(address, backend, timeouts if backend == cv2.CAP_FFMPEG else [])
        except cv2.error as error:
            message = f"the camera cannot be opened: {error}"
            raise SourceError(message) from error
        if not self._capture.isOpened():
            message = f"the camera cannot be opened: {address}"
            raise SourceError(message)
        # The newest picture, not one that waited.
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def read(self) -> Image | str:
        """Return the next picture."""
        time.sleep(self._between)
        try:
            is_read, image = self._capture.read()
        except cv2.error as error:
            message = f"the camera's stream broke off: {error}"
            raise SourceError(message) from error
        if not is_read or image is None:
            message = "the camera gives no more pictures"
            raise SourceError(message)
        return image.astype(np.uint8, copy=False)

    def close(self) -> None:
        """Release the device."""
        with suppress(cv2.error):
            self._capture.release()


class PictureFolder:
    """The pictures of a folder in the order of their names, then no more."""

    def __init__(self, folder: Path, fps: float) -> None:
        files = sorted(one for one in folder.iterdir() if one.suffix.lower() in _PICTURES)
        if not files:
            message = f"{folder} has no pictures"
            raise SourceError(message)
        self._files: Iterator[Path] = iter(files)
        self._between = 1 / fps

    def read(self) -> Image | str:
        """Return the next picture."""
        time.sleep(self._between)
        file = next(self._files, None)
        if file is None:
            message = "there are no more pictures"
            raise SourceError(message)
        data = file.read_bytes()
        if file.suffix.lower() != ".png":
            try:
                return decode(data)
            except BadFrameError as error:
                return str(error)
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        return "unreadable" if image is None else image.astype(np.uint8, copy=False)

    def close(self) -> None:
        """Nothing is open."""
