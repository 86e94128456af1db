/* <haggis-lobby>: quick start, the player's own matches, and open matches to join. */

import { hasCompletedLessons, learnOffer } from "../learn/offer.js";
import { hasStarted } from "../learn/progress.js";
import { get, post } from "../lib/api.js";
import { showTurn } from "../lib/attention.js";
import { asPlayer } from "../lib/auth.js";
import { cardImage, ensureSymbols } from "../lib/card-art.js";
import { modalDialog, openDialogs } from "../lib/dialog.js";
import { problemAlert } from "../lib/forms.js";
import { t } from "../lib/i18n.js";
import { PlayerEvents } from "../lib/player-events.js";
import { onSessionChange, token } from "../lib/session.js";
import { h, View } from "../lib/vdom.js";
import { puzzleOffer } from "../puzzles/offer.js";
import { loadDisplayNames } from "../table/names.js";
import { finishedList, invitationList, myList, openList, watchList } from "./lists.js";
import { formWithInvited, loadChoices, newMatchDialog } from "./new-match.js";

const REFRESH_SECONDS = 10;
// The number of running matches that the lobby lists.
const WATCHABLE = 4;

class HaggisLobby extends View {
  state = {
    mine: [],
    invitations: [],
    open: [],
    finished: [],
    running: [],
    strangers: [],
    newMatchOpen: false,
    matchToEnd: null,
    // The problem of the last action stays until the next one; that of loading, until the lists are loaded again.
    problem: null,
    loadProblem: null,
    done: null,
    loaded: false,
  };

  connected() {
    ensureSymbols();
    this.followEvents();
    this.unsubscribe = onSessionChange(() => {
      this.followEvents();
      this.refresh();
    });
    this.refreshIfVisible = () => !document.hidden && this.refresh();
    document.addEventListener("visibilitychange", this.refreshIfVisible);
    this.timer = setInterval(this.refreshIfVisible, REFRESH_SECONDS * 1000);
    this.refresh();
    this.inviteOfAddress();
  }

  disconnected() {
    this.unsubscribe();
    this.events?.stop();
    clearInterval(this.timer);
    document.removeEventListener("visibilitychange", this.refreshIfVisible);
  }

  /** Open the dialog for a match with the player whom the address names: `/?invite=heather`. */
  inviteOfAddress() {
    const invited = new URLSearchParams(location.search).get("invite");
    if (!invited) return;
    history.replaceState(null, "", location.pathname);
    this.update({ form: formWithInvited(invited) });
    this.openNewMatch();
  }

  followEvents() {
    this.events?.stop();
    this.events = new PlayerEvents(() => this.refresh());
  }

  /** The AI levels, weakest first. */
  get levels() {
    return this.getAttribute("levels").split(" ");
  }

  async refresh() {
    const list = async (path) => (await get(path)).results;
    const ownLists = token()
      ? [
          list("/me/matches?limit=50"),
          list("/me/invitations"),
          list("/matches?player=me&status=finished&limit=8"),
        ]
      : [[], [], []];
    try {
      const [open, running, mine, invitations, finished] = await Promise.all([
        list("/matches?status=open&open_seats=true&limit=30"),
        list(`/watch?limit=${WATCHABLE}`),
        ...ownLists,
      ]);
      const strangers = finished.length ? [] : await list("/matches?status=finished&limit=6");
      this.update({ open, running, mine, invitations, finished, strangers, loaded: true, loadProblem: null });
      const turns = mine.filter((match) => match.my_turn).length;
      showTurn(turns > 0, turns);
      const all = [...open, ...running, ...mine, ...invitations, ...finished, ...strangers];
      await loadDisplayNames(all.flatMap((match) => match.seats));
      this.update({});
    } catch (error) {
      if (error.code === "not_authenticated" && !token()) return this.refresh();
      this.update({ loadProblem: error, loaded: true });
    }
  }

  /** Create a match and open it. Return the error, if there is one. */
  async createMatch(body) {
    if (this.state.busy) return null;
    this.update({ busy: true, problem: null });
    try {
      const table = await asPlayer(() => post("/matches", body));
      location.assign(`/matches/${table.id}`);
      return null;
    } catch (error) {
      this.update({ busy: false });
      return error;
    }
  }

  /** Create a match with one of the buttons of the page. */
  async quickStart(body) {
    const problem = await this.createMatch(body);
    if (problem) this.update({ problem });
  }

  /** Open the dialog with all match options. */
  async openNewMatch() {
    this.update({ newMatchOpen: true, formProblem: null, fieldErrors: {} });
    try {
      this.update(await loadChoices());
    } catch (formProblem) {
      this.update({ formProblem });
    }
  }

  async joinMatch(match) {
    this.update({ problem: null });
    try {
      await asPlayer(() => post(`/matches/${match.id}/join`));
      location.assign(`/matches/${match.id}`);
    } catch (problem) {
      this.update({ problem });
      this.refresh();
    }
  }

  /** End a match against AI players: resign, and cancel it if they would play on without the player. */
  async endMatch(match) {
    this.update({ problem: null, done: null });
    try {
      const { status } = await asPlayer(() => post(`/matches/${match.id}/resign`));
      if (status !== "finished") await asPlayer(() => post(`/matches/${match.id}/cancel`));
      this.update({ done: t("The match has ended.") });
    } catch (problem) {
      this.update({ problem });
    }
    await this.refresh();
    this.querySelector("h1")?.focus();
  }

  afterRender() {
    openDialogs(this);
  }

  view() {
    const { problem, loadProblem, done, mine } = this.state;
    return [
      this.hero(),
      h("p", { class: "sr", role: "status", key: "done" }, done ?? ""),
      problemAlert(problem ?? loadProblem),
      h(
        "div",
        { class: "lists", key: "lists" },
        mine.length ? myList(this) : null,
        invitationList(this),
        openList(this),
        watchList(this),
        finishedList(this),
      ),
      newMatchDialog(this),
      this.endMatchDialog(),
    ];
  }

  hero() {
    const { loaded, mine, finished } = this.state;
    const compact = mine.length > 0;
    const isNew = loaded ? !(compact || finished.length) : !token();
    return h(
      "section",
      { class: `hero${compact ? " compact" : ""}`, key: "hero" },
      h(
        "div",
        { class: "fan", "aria-hidden": "true" },
        ["9r", "To", "J", "Q", "K"].map((code) => cardImage(code, { key: code, plain: false })),
      ),
      h(
        "div",
        null,
        h(
          "h1",
          { tabindex: -1 },
          compact
            ? t("New match")
            : t("Climb with sets, runs and bombs. Be the first to play all your cards."),
        ),
        compact
          ? null
          : h(
              "p",
              { class: "lead" },
              t("Haggis is a card game for two or three players. Play now: no account needed."),
            ),
        h("div", { class: "choices" }, isNew ? this.newcomerChoices() : this.choices()),
        isNew ? null : learnOffer(compact),
        puzzleOffer(),
      ),
    );
  }

  newcomerChoices() {
    const learns = !hasCompletedLessons();
    return [
      learns
        ? h(
            "a",
            { class: "button main", href: "/learn", key: "learn" },
            hasStarted() ? t("Continue to learn by playing") : t("Learn by playing"),
          )
        : null,
      this.againstAis(1, t("Play an easy AI"), learns ? "" : "main"),
      this.inviteButton(),
      this.moreOptionsButton(),
    ];
  }

  choices() {
    return [
      this.againstAis(1, t("Play against an AI"), "main"),
      this.againstAis(2, t("Play against two AIs")),
      this.inviteButton(),
      this.moreOptionsButton(),
    ];
  }

  againstAis(count, label, kind = "") {
    const body = {
      ruleset: "classic",
      players: count + 1,
      seats: [{ kind: "me" }, ...Array(count).fill({ kind: "ai", level: "easy" })],
      turn_seconds: null,
      hints: true,
    };
    return h(
      "button",
      { type: "button", class: kind, key: `ai${count}`, onclick: () => this.quickStart(body) },
      label,
    );
  }

  inviteButton() {
    const body = { ruleset: "classic", players: 2, visibility: "unlisted" };
    return h(
      "button",
      { type: "button", key: "invite", onclick: () => this.quickStart(body) },
      t("Invite a friend"),
    );
  }

  moreOptionsButton() {
    return h(
      "button",
      { type: "button", class: "plain", key: "more", onclick: () => this.openNewMatch() },
      t("More options…"),
    );
  }

  endMatchDialog() {
    const { matchToEnd } = this.state;
    if (!matchToEnd) return null;
    return modalDialog(
      { key: "end", title: t("End this match?"), onclose: () => this.update({ matchToEnd: null }) },
      h("p", null, t("You resign, and the match ends. You cannot continue it later.")),
      h(
        "form",
        { method: "dialog", class: "choices" },
        h("button", { class: "main", onclick: () => this.endMatch(matchToEnd) }, t("End match")),
        h("button", { autofocus: true }, t("Keep it")),
      ),
    );
  }
}

customElements.define("haggis-lobby", HaggisLobby);
