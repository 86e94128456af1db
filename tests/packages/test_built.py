"""The packages contain what they should, and the same sources give the same bytes."""

import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

from engine.version import VERSION
from tools.packages import staging
from tools.packages.building import build_sdist, build_wheel

pytestmark = [pytest.mark.needs("node"), pytest.mark.timeout(900)]

FILES = {
    f"haggis_engine-{VERSION}-py3-none-any.whl",
    f"haggis_engine-{VERSION}.tar.gz",
    f"haggis_server-{VERSION}-py3-none-any.whl",
    f"haggis_server-{VERSION}.tar.gz",
    f"haggis_client-{VERSION}-py3-none-any.whl",
    f"haggis_client-{VERSION}.tar.gz",
    f"haggis-client-{VERSION}.tgz",
}


def names_in(archive: Path) -> set[str]:
    if archive.suffix == ".whl":
        return set(zipfile.ZipFile(archive).namelist())
    with tarfile.open(archive) as tar:
        return {name.partition("/")[2] for name in tar.getnames()}


def test_every_package_is_built_in_one_version_with_license_and_readme(built: Path) -> None:
    assert {path.name for path in built.iterdir()} - {"complete"} == FILES
    for name in FILES:
        names = names_in(built / name)
        assert any(each.endswith("LICENSE") for each in names), name
        assert any(each.endswith(("README.md", "METADATA")) for each in names), name
        if name.endswith(".whl"):
            with zipfile.ZipFile(built / name) as wheel:
                metadata = next(each for each in names if each.endswith(".dist-info/METADATA"))
                fields = Parser().parsestr(wheel.read(metadata).decode())
            assert fields["Version"] == VERSION
            assert fields["License-Expression"] == "MIT"
            assert fields.get_payload(), f"{name} has no description"


def test_wheels_contain_every_file_of_the_tree(built: Path) -> None:
    """Templates, static files, translations, migrations, puzzles and weights are files like the modules."""
    server, engine = (
        names_in(built / f"haggis_{name}-{VERSION}-py3-none-any.whl") for name in ("server", "engine")
    )
    for package in ("games", "haggis_service"):
        folder = staging.ROOT / package
        assert {f"{package}/{path.relative_to(folder)}" for path in staging.sources_in(folder)} <= server
    folder = staging.ROOT / "engine"
    assert {f"haggis_engine/{path.relative_to(folder)}" for path in staging.sources_in(folder)} <= engine
    assert {name.split("/")[0].split("-")[0] for name in engine} == {"haggis_engine"}
    assert {"haggis_service/docs/index.html", "haggis_service/docs/search/search_index.json"} <= server
    assert any(name.startswith("games/locale/") and name.endswith(".mo") for name in server)
    assert any(name.endswith(".html") for name in server)


def test_no_import_of_the_tree_is_left(built: Path) -> None:
    for name in ("engine", "server"):
        with zipfile.ZipFile(built / f"haggis_{name}-{VERSION}-py3-none-any.whl") as wheel:
            modules = [each for each in wheel.namelist() if each.endswith(".py")]
            left = [
                each
                for each in modules
                if b"import engine" in (text := wheel.read(each)) or b"from engine" in text
            ]
        assert left == []


@pytest.mark.parametrize("name", ("engine", "server", "client"))
def test_same_sources_give_the_same_bytes(built: Path, tmp_path: Path, name: str) -> None:
    """Build again in another folder, and the wheel once more from the source distribution."""
    stage = tmp_path / "elsewhere" / name
    {"engine": staging.stage_engine, "server": staging.stage_server, "client": staging.stage_client}[name](
        stage
    )
    again = tmp_path / "again"
    assert build_sdist(stage, again).read_bytes() == (built / f"haggis_{name}-{VERSION}.tar.gz").read_bytes()
    wheel = (built / f"haggis_{name}-{VERSION}-py3-none-any.whl").read_bytes()
    assert build_wheel(stage, again).read_bytes() == wheel
    with tarfile.open(again / f"haggis_{name}-{VERSION}.tar.gz") as tar:
        tar.extractall(tmp_path / "unpacked", filter="data")
    from_sdist = build_wheel(tmp_path / "unpacked" / f"haggis_{name}-{VERSION}", tmp_path / "from-sdist")
    assert from_sdist.read_bytes() == wheel


def test_rewriting_changes_dotted_names_only() -> None:
    unchanged = "the engine. build/engine.log my_engine.x x.engine.y"
    source = f'import engine.rules as r\n"""See `engine.views`; {unchanged}"""\n'
    assert staging.rewrite(source) == (
        f'import haggis_engine.rules as r\n"""See `haggis_engine.views`; {unchanged}"""\n'
    )
