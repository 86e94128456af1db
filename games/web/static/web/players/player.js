/* <haggis-player>: the page of a player, with statistics and matches. Without a name it is the viewer's own. */

import { get, Problem, put, remove, withoutEmpty } from "../lib/api.js";
import { asPlayer } from "../lib/auth.js";
import { problemAlert, resultStatus } from "../lib/forms.js";
import { t, tx } from "../lib/i18n.js";
import { playerLink, playerPath } from "../lib/players.js";
import { me, onSessionChange, token } from "../lib/session.js";
import { ruleSetName } from "../lib/text.js";
import { followTurns } from "../lib/turns.js";
import { h, View } from "../lib/vdom.js";
import { loadDisplayNames } from "../table/names.js";
import { historyRow } from "./match-history.js";
import { headToHead, statisticsView } from "./statistics.js";

const PAGE_SIZE = 20;
const SEARCH_DELAY_MS = 300;
const FILTERS = ["ruleset", "players", "result", "against", "q"];
const KINDS = { guest: () => t("Guest"), bot: () => t("Bot") };

const query = (parameters) => new URLSearchParams(withoutEmpty(parameters)).toString();

class HaggisPlayer extends View {
  state = { matches: [], filters: {} };

  connected() {
    const asked = new URLSearchParams(location.search);
    this.state.filters = Object.fromEntries(FILTERS.map((name) => [name, asked.get(name) ?? ""]));
    this.turns = followTurns();
    this.unsubscribe = onSessionChange(() => {
      this.turns.stop();
      this.turns = followTurns();
      this.loadAll();
    });
    this.loadAll();
  }

  disconnected() {
    this.unsubscribe();
    this.turns.stop();
    clearTimeout(this.timer);
  }

  /** The name of the player; null on the viewer's own page before the log-in. */
  get username() {
    return this.getAttribute("username") || me()?.username || null;
  }

  get isOwn() {
    return this.username === me()?.username;
  }

  get path() {
    return `/players/${encodeURIComponent(this.username)}`;
  }

  async loadAll() {
    if (!this.username) return this.update({ loaded: true });
    await Promise.all([
      this.load("profile", this.path),
      this.loadRelation(),
      this.loadHeadToHead(),
      this.loadSelection(),
    ]);
    this.update({ loaded: true });
  }

  /** Load a document into the state; show the problem otherwise. */
  async load(name, path) {
    try {
      this.update({ [name]: await get(path), problem: null });
    } catch (problem) {
      this.update({ problem });
    }
  }

  /** Load whether the viewer follows or blocks this player. */
  async loadRelation() {
    if (!token() || this.isOwn) return this.update({ relation: null });
    await this.load("relation", `/me/relations/${encodeURIComponent(this.username)}`);
  }

  async loadHeadToHead() {
    if (!token() || this.isOwn) return this.update({ theirs: null, mine: null });
    await Promise.all([
      this.load("theirs", `${this.path}/stats?${query({ against: me().username })}`),
      this.load(
        "mine",
        `/players/${encodeURIComponent(me().username)}/stats?${query({ against: this.username })}`,
      ),
    ]);
  }

  /** Load the statistics and the first matches that the filters select. */
  async loadSelection() {
    const { ruleset, players, against } = this.state.filters;
    this.update({ busy: true });
    const [matches] = await Promise.all([
      this.fetchMatches(`${this.path}/matches?${query({ ...this.state.filters, limit: PAGE_SIZE })}`),
      this.load("statistics", `${this.path}/stats?${query({ ruleset, players, against })}`),
    ]);
    if (matches) this.update({ matches: matches.results, next: matches.next });
    this.update({ busy: false });
  }

  async showMore() {
    const next = new URL(this.state.next);
    const page = await this.fetchMatches(`${this.path}/matches${next.search}`);
    if (page) this.update({ matches: [...this.state.matches, ...page.results], next: page.next });
  }

  /** Fetch a page of matches and the names of their players; an unknown opponent has none. */
  async fetchMatches(path) {
    try {
      const page = await get(path);
      await loadDisplayNames(page.results.flatMap((match) => match.seats));
      return page;
    } catch (problem) {
      if (problem instanceof Problem && problem.code === "not_found") return { results: [], next: null };
      this.update({ problem });
      return null;
    }
  }

  /** Change a filter; the address of the page names them, so that it can be shared. */
  filter(name, value) {
    const filters = { ...this.state.filters, [name]: value };
    const search = query(filters);
    history.replaceState(null, "", search ? `?${search}` : location.pathname);
    this.update({ filters });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.loadSelection(), name === "q" ? SEARCH_DELAY_MS : 0);
  }

  view() {
    const { loaded, profile, problem } = this.state;
    if (!this.username && loaded) return this.logInHint();
    if (!profile) return problem ? problemAlert(problem) : h("p", { class: "loading" }, t("Loading…"));
    return [
      problemAlert(problem),
      this.heading(),
      this.headToHeadSection(),
      this.ratings(),
      this.filterForm(),
      this.statisticsSection(),
      this.historySection(),
    ];
  }

  logInHint() {
    return h(
      "section",
      { class: "panel" },
      h("h1", null, t("Your matches")),
      h(
        "p",
        null,
        tx("Play a match or {link} to see your matches here.", {
          link: h("a", { href: "/account" }, t("log in")),
        }),
      ),
    );
  }

  heading() {
    const { username, display_name: name, kind, owner, created_at: created } = this.state.profile;
    const year = new Date(created).toLocaleDateString(document.documentElement.lang || "en", {
      year: "numeric",
      month: "long",
    });
    return h(
      "header",
      { class: "player-heading", key: "heading" },
      h("h1", null, name || username),
      h(
        "p",
        { class: "quiet" },
        h("span", { class: "handle" }, `@${username}`),
        kind in KINDS ? h("span", { class: "mark" }, KINDS[kind]()) : null,
        h("span", null, t("since {month}", { month: year })),
        owner ? h("span", null, tx("bot of {owner}", { owner: playerLink(owner, owner) })) : null,
        this.isOwn
          ? h("a", { href: "/account" }, t("Account settings"))
          : [
              kind === "guest"
                ? null
                : h("a", { href: `/?invite=${encodeURIComponent(username)}` }, t("Invite to a match")),
              this.relationButtons(username),
              this.reportButton(username),
            ],
      ),
      resultStatus(this.state.done),
    );
  }

  /** Buttons to follow and to block the player, for those who are logged in. */
  relationButtons(username) {
    const { relation, changing } = this.state;
    if (!relation) return null;
    const button = (name, list, text, done) =>
      h(
        "button",
        {
          type: "button",
          class: "link",
          key: name,
          "aria-disabled": changing ? "true" : undefined,
          onclick: () =>
            changing || this.changeRelation(`/me/${list}/${encodeURIComponent(username)}`, name, done),
        },
        text,
      );
    const { follows, blocks } = relation;
    return [
      follows
        ? button(
            "follows",
            "follows",
            t("Stop following"),
            t("You do not follow {name} any more.", { name: username }),
          )
        : button(
            "follows",
            "follows",
            t("Follow"),
            t("You follow {name}. They are not told.", { name: username }),
          ),
      blocks
        ? button("blocks", "blocks", t("Unblock"), t("You can play with {name} again.", { name: username }))
        : button(
            "blocks",
            "blocks",
            t("Block"),
            t("You and {name} cannot join each other's matches any more. They are not told.", {
              name: username,
            }),
          ),
    ];
  }

  async changeRelation(path, name, done) {
    this.update({ changing: true, done: null, problem: null });
    try {
      await asPlayer(() => (this.state.relation[name] ? remove(path) : put(path)));
      await this.loadRelation();
      this.update({ done });
    } catch (problem) {
      this.update({ problem });
    }
    this.update({ changing: false });
  }

  /** Offer to report the player. The dialog is loaded only when it is needed. */
  reportButton(username) {
    const open = async () => (await import("../lib/report.js")).openReport({ username });
    return h(
      "button",
      { type: "button", class: "link", onclick: open },
      t("Report {name}", { name: username }),
    );
  }

  headToHeadSection() {
    const { theirs, mine, profile, filters } = this.state;
    if (!theirs || !mine) return null;
    const opponent = me()?.username;
    return h(
      "section",
      { class: "head-to-head", key: "head-to-head", "aria-label": t("You and this player") },
      headToHead({ ...theirs, mine: mine.matches.won }, profile.display_name || profile.username),
      theirs.matches.played
        ? h(
            "button",
            {
              type: "button",
              "aria-pressed": String(filters.against === opponent),
              onclick: () => this.filter("against", filters.against === opponent ? "" : opponent),
            },
            t("Only matches with you"),
          )
        : null,
    );
  }

  /** Ratings, once the service has them. */
  ratings() {
    const { ratings } = this.state.profile;
    if (!ratings?.length) return null;
    return h(
      "section",
      { key: "ratings" },
      h("h2", null, t("Ratings")),
      h(
        "ul",
        { class: "ratings" },
        ratings.map(({ pool, ruleset, players, rating, deviation, provisional }) =>
          h(
            "li",
            { key: pool },
            h("b", null, provisional ? `${rating}?` : rating),
            h(
              "span",
              { class: "quiet small" },
              t("{rules}, {players} players, ± {deviation}", {
                rules: ruleSetName(ruleset),
                players,
                deviation,
              }),
            ),
          ),
        ),
      ),
    );
  }

  filterForm() {
    const { filters } = this.state;
    return h(
      "form",
      {
        class: "filters",
        key: "filters",
        role: "search",
        "aria-label": t("Filter statistics and matches"),
        onsubmit: (event) => event.preventDefault(),
      },
      this.select("ruleset", t("Rule set"), [
        ["", t("All")],
        ...this.getAttribute("rulesets")
          .split(" ")
          .map((key) => [key, ruleSetName(key)]),
      ]),
      this.select("players", t("Players"), [
        ["", t("All")],
        ["2", t("Two")],
        ["3", t("Three")],
      ]),
      this.select("result", t("Result"), [
        ["", t("All")],
        ["won", t("Won")],
        ["lost", t("Lost")],
        ["abandoned", t("Abandoned")],
      ]),
      h(
        "div",
        null,
        h("label", { for: "q" }, t("Search opponents")),
        h("input", {
          id: "q",
          type: "search",
          value: filters.q,
          maxlength: 60,
          autocomplete: "off",
          oninput: (event) => this.filter("q", event.target.value.trim()),
        }),
      ),
      filters.against
        ? h(
            "button",
            { type: "button", class: "against", onclick: () => this.filter("against", "") },
            t("Against {name} ✕", { name: filters.against }),
          )
        : null,
    );
  }

  select(name, label, choices) {
    return h(
      "div",
      { key: name },
      h("label", { for: name }, label),
      h(
        "select",
        { id: name, onchange: (event) => this.filter(name, event.target.value) },
        choices.map(([value, text]) =>
          h("option", { value, key: value, selected: this.state.filters[name] === value }, text),
        ),
      ),
    );
  }

  statisticsSection() {
    const { statistics } = this.state;
    return h(
      "section",
      { key: "statistics" },
      h("h2", null, t("Statistics")),
      statistics ? statisticsView(statistics) : null,
      this.isOwn
        ? h("p", { class: "quiet small" }, t("Others see only what you did in public matches."))
        : null,
    );
  }

  historySection() {
    const { matches, next, busy, profile } = this.state;
    const filtered = Object.values(this.state.filters).some(Boolean);
    const emptyText = filtered ? t("No matches with these filters.") : t("No matches yet.");
    return h(
      "section",
      { key: "history", "aria-busy": String(Boolean(busy)) },
      h("h2", null, t("Matches")),
      matches.length
        ? h(
            "ul",
            { class: "history" },
            matches.map((match) => historyRow(match, profile.username)),
          )
        : h("p", { class: "quiet" }, busy ? t("Loading…") : emptyText),
      next ? h("button", { type: "button", onclick: () => this.showMore() }, t("Show more")) : null,
      this.hasAttribute("username")
        ? null
        : h("p", { class: "small" }, h("a", { href: playerPath(profile.username) }, t("Your player page"))),
    );
  }
}

customElements.define("haggis-player", HaggisPlayer);
