/* <haggis-players>: find people and bots, see who is online, and invite them. */

import { get, withoutEmpty } from "../lib/api.js";
import { problemAlert } from "../lib/forms.js";
import { t } from "../lib/i18n.js";
import { playerLink } from "../lib/players.js";
import { me, onSessionChange } from "../lib/session.js";
import { formatDate } from "../lib/times.js";
import { followTurns } from "../lib/turns.js";
import { h, View } from "../lib/vdom.js";

const PAGE_SIZE = 30;
const SEARCH_DELAY_MS = 300;
const MIN_SEARCH_LENGTH = 2;

class Players extends View {
  state = { players: [], search: "", kind: "", online: false, follows: false };

  connected() {
    this.turns = followTurns();
    this.unsubscribe = onSessionChange(() => this.load());
    this.load();
  }

  disconnected() {
    this.unsubscribe();
    this.turns.stop();
    clearTimeout(this.timer);
  }

  /** Load the first players that the filters select, unless the filters change meanwhile. */
  async load() {
    const { search, kind, online, follows } = this.state;
    const query = new URLSearchParams({
      limit: PAGE_SIZE,
      ...withoutEmpty({ q: search.length < MIN_SEARCH_LENGTH ? "" : search, kind }),
      ...(online ? { online } : {}),
      ...(follows && me() ? { follows } : {}),
    });
    this.query = query;
    const page = await this.fetchPage(`/players?${query}`);
    if (page && this.query === query) this.update({ players: page.results, next: page.next, loaded: true });
  }

  async showMore() {
    const page = await this.fetchPage(`/players${new URL(this.state.next).search}`);
    if (page) this.update({ players: [...this.state.players, ...page.results], next: page.next });
  }

  async fetchPage(path) {
    try {
      const page = await get(path);
      this.update({ problem: null });
      return page;
    } catch (problem) {
      this.update({ problem, loaded: true });
      return null;
    }
  }

  filter(changes) {
    this.update(changes);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), "search" in changes ? SEARCH_DELAY_MS : 0);
  }

  view() {
    const { players, next, problem, loaded } = this.state;
    return [
      h("h1", { key: "title" }, t("Players")),
      this.filterForm(),
      problemAlert(problem),
      h(
        "section",
        { key: "players", "aria-label": t("Players"), "aria-live": "polite" },
        players.length
          ? h(
              "ul",
              { class: "history" },
              players.map((player) => this.row(player)),
            )
          : h("p", { class: "quiet" }, loaded ? t("No players with these filters.") : t("Loading…")),
        next ? h("button", { type: "button", onclick: () => this.showMore() }, t("Show more")) : null,
      ),
    ];
  }

  filterForm() {
    const { search, kind, online, follows } = this.state;
    return h(
      "form",
      {
        class: "filters",
        key: "filters",
        role: "search",
        "aria-label": t("Find players"),
        onsubmit: (event) => event.preventDefault(),
      },
      h(
        "div",
        { key: "search" },
        h("label", { for: "q" }, t("Name")),
        h("input", {
          id: "q",
          type: "search",
          value: search,
          maxlength: 50,
          autocomplete: "off",
          oninput: (event) => this.filter({ search: event.target.value.trim() }),
        }),
      ),
      h(
        "div",
        { key: "kind" },
        h("label", { for: "kind" }, t("Kind")),
        h(
          "select",
          { id: "kind", onchange: (event) => this.filter({ kind: event.target.value }) },
          [
            ["", t("All")],
            ["human", t("People")],
            ["bot", t("Bots")],
          ].map(([value, text]) => h("option", { value, key: value, selected: kind === value }, text)),
        ),
      ),
      this.checkbox("online", t("Online now"), online),
      me() ? this.checkbox("follows", t("Followed by you"), follows) : null,
    );
  }

  checkbox(name, text, checked) {
    return h(
      "label",
      { class: "check", key: name },
      h("input", {
        type: "checkbox",
        checked,
        onchange: (event) => this.filter({ [name]: event.target.checked }),
      }),
      h("span", null, text),
    );
  }

  row({ username, display_name: name, kind, online, created_at: createdAt }) {
    return h(
      "li",
      { key: username, class: "player-row" },
      h(
        "span",
        { class: "player-row-name" },
        playerLink(username, name || username),
        h("span", { class: "quiet small" }, `@${username}`),
        kind === "bot" ? h("span", { class: "mark small" }, t("Bot")) : null,
        online ? h("span", { class: "online small" }, t("Online")) : null,
      ),
      h("span", { class: "quiet small" }, t("since {date}", { date: formatDate(createdAt) })),
      username === me()?.username
        ? null
        : h(
            "a",
            {
              class: "button",
              href: `/?invite=${encodeURIComponent(username)}`,
              "aria-label": t("Invite {name}", { name: name || username }),
            },
            t("Invite"),
          ),
    );
  }
}

customElements.define("haggis-players", Players);
