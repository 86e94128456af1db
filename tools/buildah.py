"""The program buildah, which builds and runs images without Docker."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent


class ImageError(Exception):
    """Raised with a message for the person who builds the image."""


class Buildah:
    """The program buildah with storage of its own: without a daemon, overlay mounts or network namespaces."""

    def __init__(self, storage: Path) -> None:
        """Use the folder for images and containers."""
        folders = ("--root", str(storage / "root"), "--runroot", str(storage / "run"))
        self.command: Sequence[str] = ("buildah", *folders, "--storage-driver", "vfs")
        self.environment = os.environ | {"BUILDAH_ISOLATION": "chroot"}

    def run(self, *arguments: str, quiet: bool = False) -> str:
        """Run a command of buildah; return its output."""
        completed = subprocess.run(
            [*self.command, *arguments],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if quiet else None,
            text=True,
            check=False,
        )
        if completed.returncode != 0:
            raise ImageError(f"buildah {arguments[0]} failed.")
        return completed.stdout.strip()

    def has(self, image: str) -> bool:
        """Return whether the image is stored here."""
        return image in self.run("images", "--format", "{{.Name}}:{{.Tag}}").splitlines()

    def size(self, image: str) -> str:
        """Return the size of an image as text."""
        return self.run("images", "--format", "{{.Size}}", image)

    def import_folder(self, folder: Path, image: str) -> None:
        """Create an image with one layer from a folder."""
        container = self.run("from", "scratch")
        self.run("copy", "--quiet", container, str(folder), "/")
        self.run("commit", "--quiet", container, image)
        self.run("rm", container)
