from pathlib import Path
from runpy import run_path

import pytest

from engine.rulesets import documents
from engine.rulesets.catalogue import RULE_SETS
from engine.rulesets.documents import main, outdated, pages, rule_page
from engine.rulesets.model import RuleSet

EVERY = pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.key)
PUBLISHED = Path(__file__).parents[3] / "docs" / "rules"


def test_the_published_pages_are_up_to_date() -> None:
    assert outdated(PUBLISHED) == []


def test_no_other_pages_are_published() -> None:
    assert {path.name for path in PUBLISHED.iterdir()} == set(pages())


def test_written_pages_pass_the_check(tmp_path: Path) -> None:
    folder = tmp_path / "docs" / "rules"
    assert main([str(folder)]) == 0
    assert main(["--check", str(folder)]) == 0


def test_the_check_names_changed_and_missing_pages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([str(tmp_path)])
    (tmp_path / "classic.md").write_text("Other rules.\n", encoding="utf-8")
    (tmp_path / "deluxe.md").unlink()
    assert main(["--check", str(tmp_path)]) == 1
    text = capsys.readouterr().err
    assert "classic.md" in text
    assert "deluxe.md" in text
    assert "booklet.md" not in text


def test_the_module_is_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["documents", "--check", str(tmp_path)])
    with pytest.raises(SystemExit) as ended:
        run_path(documents.__file__, run_name="__main__")
    assert ended.value.code == 1


@EVERY
def test_a_page_lists_every_ruling_option_and_bet(rules: RuleSet) -> None:
    text = " ".join(rule_page(rules).split())
    for ruling in rules.rulings:
        assert ruling.text in text
    for option in rules.options:
        assert (f"`{option.name}`" in text) is bool(set(option.players) & set(rules.players))
    for amount in rules.bet_amounts:
        assert str(amount) in text


@EVERY
def test_a_two_player_page_does_not_mention_three_players(rules: RuleSet) -> None:
    assert ("three players" in rule_page(rules)) is (3 in rules.players)


@EVERY
def test_only_table_lines_exceed_the_line_length(rules: RuleSet) -> None:
    assert all(len(line) <= 110 for line in rule_page(rules).splitlines() if not line.startswith("|"))


def test_the_overview_links_to_every_page() -> None:
    overview = pages()["README.md"]
    for rules in RULE_SETS:
        assert f"({rules.key}.md)" in overview
