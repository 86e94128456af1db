"""Build the image of the service without Docker: `make image`. It needs root, buildah and debootstrap.

The Dockerfile is built as it is. Where the registry of its base images cannot be reached, bases are made from
Debian packages: the same Debian release and the same minor version of Python, but Debian's build of it. Then
every process of the image is started (`tools/check_image.py`).
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tools.buildah import ROOT, Buildah, ImageError
from tools.check_image import check_image

IMAGE: Final = "localhost/haggis:latest"
STORAGE: Final = Path("/var/tmp/haggis-image")  # noqa: S108 -- layers of images, which contain no secrets
DEBIAN_MIRROR: Final = "http://deb.debian.org/debian"
SECURITY_MIRROR: Final = "http://deb.debian.org/debian-security"
RUNTIME_PACKAGES: Final = ("ca-certificates", "python3")
BUILD_PACKAGES: Final = ("gcc", "libc6-dev", "python3-dev", "python3-venv")
# Documentation, translations and lists of packages, which no process reads.
UNUSED: Final = (
    "usr/share/doc",
    "usr/share/info",
    "usr/share/locale",
    "usr/share/man",
    "var/cache/apt",
    "var/lib/apt/lists",
    "var/log",
)
# Files of this machine that the build may read: the index of packages and the certificates of a proxy.
BUILD_SECRETS: Final = {
    "pip_conf": Path("/etc/pip.conf"),
    "certificates": Path("/etc/ssl/certs/ca-certificates.crt"),
}


def base_images(dockerfile: str) -> dict[str, str]:
    """Return the default base images by build argument.

    >>> base_images("ARG BASE=python:3.13.15-slim-trixie")
    {'BASE': 'python:3.13.15-slim-trixie'}
    """
    return dict(re.findall(r"^ARG ((?:BUILD_)?BASE)=(\S+)", dockerfile, re.MULTILINE))


def base_versions(image: str) -> tuple[str, str]:
    """Return the minor version of Python and the Debian release of an official Python image.

    >>> base_versions("python:3.13.15-slim-trixie@sha256:0123")
    ('3.13', 'trixie')
    """
    tag = image.partition("@")[0].partition(":")[2]
    return ".".join(tag.split(".")[:2]), tag.rpartition("-")[2]


def require_bases(buildah: Buildah) -> dict[str, str]:
    """Return an image for each build argument: pulled if the registry answers, else made from packages."""
    wanted = base_images((ROOT / "Dockerfile").read_text(encoding="utf-8"))
    try:
        for image in wanted.values():
            buildah.run("pull", "--quiet", f"docker.io/library/{image}", quiet=True)
    except ImageError:
        _print("The registry cannot be reached: the base images are made from Debian packages.")
    else:
        return wanted
    python, release = base_versions(wanted["BASE"])
    made = {name: f"localhost/haggis-{name.lower()}:{python}-{release}" for name in wanted}
    if not all(buildah.has(image) for image in made.values()):
        _make_bases(buildah, release, python, made)
    return made


def _make_bases(buildah: Buildah, release: str, python: str, images: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory(dir=STORAGE) as scratch:
        runtime, build = Path(scratch, "runtime"), Path(scratch, "build")
        packages = f"--include={','.join(RUNTIME_PACKAGES)}"
        _system("debootstrap", "--variant=minbase", packages, release, str(runtime), DEBIAN_MIRROR)
        sources = f"deb {DEBIAN_MIRROR} {release} main\ndeb {SECURITY_MIRROR} {release}-security main\n"
        (runtime / "etc/apt/sources.list").write_text(sources, encoding="utf-8")
        _system("chroot", str(runtime), "apt-get", "update", "-qq")
        _system("chroot", str(runtime), "apt-get", "upgrade", "-qq", "--yes")
        found = _system("chroot", str(runtime), "python3", "--version").split()[-1]
        if not found.startswith(f"{python}."):
            raise ImageError(f"Debian {release} has Python {found}, and the Dockerfile asks for {python}.")
        _system("cp", "--archive", str(runtime), str(build))  # with its device files
        _system("chroot", str(build), "apt-get", "install", "-qq", "--yes", *BUILD_PACKAGES)
        for folder in UNUSED:
            for child in (runtime / folder).iterdir():
                shutil.rmtree(child) if child.is_dir() and not child.is_symlink() else child.unlink()
        buildah.import_folder(runtime, images["BASE"])
        buildah.import_folder(build, images["BUILD_BASE"])


def _system(*command: str) -> str:
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}
    completed = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if completed.returncode != 0:
        raise ImageError(f"{' '.join(command)} failed:\n{completed.stdout[-2000:]}{completed.stderr[-2000:]}")
    return completed.stdout


def build(buildah: Buildah, options: Sequence[str]) -> None:
    """Build the Dockerfile and print the sizes."""
    bases = require_bases(buildah)
    arguments = [part for name, image in bases.items() for part in ("--build-arg", f"{name}={image}")]
    secrets = [
        part
        for name, path in BUILD_SECRETS.items()
        if path.exists()
        for part in ("--secret", f"id={name},src={path}")
    ]
    # The network of this machine needs its name servers and no network namespace.
    network = ("--network", "host", "--volume", "/etc/resolv.conf:/etc/resolv.conf:ro")
    buildah.run("build", *network, *secrets, *arguments, *options, "--tag", IMAGE, ".")
    _print(f"{IMAGE}: {buildah.size(IMAGE)}, of which the base image has {buildah.size(bases['BASE'])}")


def main() -> int:
    """Build the image, then start its processes."""
    parser = argparse.ArgumentParser(prog="make image", description=__doc__)
    parser.add_argument("--storage", type=Path, default=STORAGE, help=f"the folder of images ({STORAGE})")
    parser.add_argument("--no-check", action="store_true", help="do not start the processes of the image")
    parser.add_argument("--no-build", action="store_true", help="check the image that was built before")
    arguments, options = parser.parse_known_args()
    missing = [program for program in ("buildah", "debootstrap") if shutil.which(program) is None]
    if missing or os.geteuid() != 0:
        sys.stderr.write("`make image` needs root, and `apt-get install buildah debootstrap`.\n")
        return 1
    arguments.storage.mkdir(parents=True, exist_ok=True)
    buildah = Buildah(arguments.storage)
    try:
        if not arguments.no_build:
            build(buildah, options)
        if not arguments.no_check:
            check_image(buildah, IMAGE)
    except ImageError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
