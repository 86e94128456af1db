import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from haggis_service.settings.secret_key import load_or_create_secret_key


def test_key_survives_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "var" / "secret_key"
    assert load_or_create_secret_key(path) == load_or_create_secret_key(path)


def test_checkouts_have_different_keys(tmp_path: Path) -> None:
    assert load_or_create_secret_key(tmp_path / "one") != load_or_create_secret_key(tmp_path / "two")


def test_key_file_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "secret_key"
    load_or_create_secret_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_concurrent_processes_agree_on_one_key_and_leave_no_other_files(tmp_path: Path) -> None:
    path = tmp_path / "secret_key"
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(load_or_create_secret_key, [path] * 32))
    assert keys == {path.read_text(encoding="utf-8")}
    assert list(tmp_path.iterdir()) == [path]
