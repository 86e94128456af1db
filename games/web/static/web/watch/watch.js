/* <haggis-watch>: the matches that are being played, and one to watch first. */

import { get } from "../lib/api.js";
import { problemAlert } from "../lib/forms.js";
import { t } from "../lib/i18n.js";
import { matchLength, ruleSetName } from "../lib/text.js";
import { h, View } from "../lib/vdom.js";
import { seatLinks, watchRow } from "../players/match-history.js";
import { loadDisplayNames } from "../table/names.js";
import { watchersText } from "./watcher-count.js";

const REFRESH_SECONDS = 10;
const PAGE_SIZE = 30;

class HaggisWatch extends View {
  state = { matches: [], featured: null };

  connected() {
    this.refreshIfVisible = () => !document.hidden && this.refresh();
    document.addEventListener("visibilitychange", this.refreshIfVisible);
    this.timer = setInterval(this.refreshIfVisible, REFRESH_SECONDS * 1000);
    this.refresh();
  }

  disconnected() {
    clearInterval(this.timer);
    document.removeEventListener("visibilitychange", this.refreshIfVisible);
  }

  async refresh() {
    try {
      const { results, featured } = await get(`/watch?limit=${PAGE_SIZE}`);
      await loadDisplayNames([...results, ...(featured ? [featured] : [])].flatMap((match) => match.seats));
      this.update({ matches: results, featured, loaded: true, problem: null });
    } catch (problem) {
      this.update({ problem, loaded: true });
    }
  }

  view() {
    const { featured, problem, loaded } = this.state;
    const matches = this.state.matches.filter((match) => match.id !== featured?.id);
    return [
      h("h1", { key: "title" }, t("Watch")),
      problemAlert(problem),
      featured ? featuredMatch(featured) : null,
      h(
        "section",
        { key: "running" },
        h("h2", null, t("Being played")),
        matches.length
          ? h("ul", { class: "history" }, matches.map(watchRow))
          : h(
              "p",
              { class: "quiet" },
              !loaded
                ? t("Loading…")
                : featured
                  ? t("No other public match is being played.")
                  : t("No public match is being played right now."),
            ),
      ),
    ];
  }
}

function featuredMatch(match) {
  return h(
    "section",
    { class: "panel featured", key: "featured", "aria-label": t("Featured match") },
    h("h2", null, seatLinks(match)),
    h(
      "p",
      { class: "quiet" },
      t("{rules}, {length} · round {round}", {
        rules: ruleSetName(match.ruleset),
        length: matchLength(match),
        round: match.round_number,
      }),
      match.watchers ? ` · ${watchersText(match.watchers)}` : "",
    ),
    h("p", { class: "featured-score" }, match.seats.map((seat) => seat.score).join(" – ")),
    h("a", { class: "button main", href: `/matches/${match.id}` }, t("Watch this match")),
  );
}

customElements.define("haggis-watch", HaggisWatch);
