/* <haggis-lobby>: quick start, the player's own matches, and open matches to join. */

import { get, post } from "../lib/api.js";
import { asPlayer } from "../lib/auth.js";
import { cardImage, ensureSymbols } from "../lib/card-art.js";
import { openDialogs } from "../lib/dialog.js";
import { PlayerEvents } from "../lib/player-events.js";
import { clearSession, onSessionChange, token } from "../lib/session.js";
import { h, View } from "../lib/vdom.js";
import { loadDisplayNames } from "../table/names.js";
import { finishedList, invitationList, myList, openList } from "./lists.js";
import { loadChoices, newMatchDialog } from "./new-match.js";

const REFRESH_SECONDS = 10;

class HaggisLobby extends View {
  state = {
    mine: [],
    invitations: [],
    open: [],
    finished: [],
    newMatchOpen: false,
    problem: null,
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
  }

  disconnected() {
    this.unsubscribe();
    this.events?.stop();
    clearInterval(this.timer);
    document.removeEventListener("visibilitychange", this.refreshIfVisible);
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
      const [open, mine, invitations, finished] = await Promise.all([
        list("/matches?status=open&open_seats=true&limit=30"),
        ...ownLists,
      ]);
      this.update({
        open,
        mine,
        invitations,
        finished: finished.length ? finished : await list("/matches?status=finished&limit=6"),
        loaded: true,
        problem: null,
      });
      await loadDisplayNames([...open, ...mine, ...invitations, ...finished].flatMap((match) => match.seats));
      this.update({});
    } catch (error) {
      if (error.code === "not_authenticated") return clearSession();
      this.update({ problem: error, loaded: true });
    }
  }

  /** Create a match and open it. */
  async createMatch(body) {
    if (this.state.busy) return;
    this.update({ busy: true, problem: null });
    try {
      const table = await asPlayer(() => post("/matches", body));
      location.assign(`/matches/${table.id}`);
    } catch (error) {
      this.update({ problem: error, busy: false });
    }
  }

  /** Open the dialog with all match options. */
  async openNewMatch() {
    this.update({ newMatchOpen: true });
    try {
      this.update(await loadChoices());
    } catch (problem) {
      this.update({ problem });
    }
  }

  async joinMatch(match) {
    try {
      await asPlayer(() => post(`/matches/${match.id}/join`));
      location.assign(`/matches/${match.id}`);
    } catch (error) {
      this.update({ problem: error });
      this.refresh();
    }
  }

  afterRender() {
    openDialogs(this);
  }

  view() {
    const { problem, mine } = this.state;
    return [
      this.hero(),
      problem ? h("p", { class: "problem wide", role: "alert", key: "problem" }, problem.message) : null,
      h(
        "div",
        { class: "lists", key: "lists" },
        mine.length ? myList(this) : null,
        invitationList(this),
        openList(this),
        finishedList(this),
      ),
      newMatchDialog(this),
    ];
  }

  hero() {
    const against = (count) => ({
      ruleset: "classic",
      players: count + 1,
      seats: [{ kind: "me" }, ...Array(count).fill({ kind: "ai", level: "easy" })],
      turn_seconds: null,
      hints: true,
    });
    const compact = this.state.mine.length > 0;
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
          null,
          compact ? "New match" : "Climb with sets, runs and bombs. Get rid of your cards first.",
        ),
        compact
          ? null
          : h(
              "p",
              { class: "lead" },
              "Haggis is a card game for two or three players. Play now: no account needed.",
            ),
        h(
          "div",
          { class: "choices" },
          h(
            "button",
            { type: "button", class: "main", onclick: () => this.createMatch(against(1)) },
            "Play against an AI",
          ),
          h("button", { type: "button", onclick: () => this.createMatch(against(2)) }, "Against two AIs"),
          h(
            "button",
            {
              type: "button",
              onclick: () => this.createMatch({ ruleset: "classic", players: 2, visibility: "unlisted" }),
            },
            "Invite a friend",
          ),
          h(
            "button",
            { type: "button", class: "plain", onclick: () => this.openNewMatch() },
            "More options…",
          ),
        ),
      ),
    );
  }
}

customElements.define("haggis-lobby", HaggisLobby);
