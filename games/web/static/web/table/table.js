/* <haggis-table>: a match, from the waiting room to the result. */

import { Problem } from "../lib/api.js";
import { ensureSymbols } from "../lib/card-art.js";
import { modalDialog, openDialogs } from "../lib/dialog.js";
import { cardPositions, glide } from "../lib/motion.js";
import { me, onSessionChange } from "../lib/session.js";
import { onSettingChange, setting, updateSetting } from "../lib/settings.js";
import { h } from "../lib/vdom.js";
import { actionArea } from "./actions.js";
import { TabChannel } from "./channel.js";
import { handArea, keyHelp } from "./hand.js";
import { logList } from "./log.js";
import { pauseButton } from "./pause.js";
import { PlayableTable } from "./playable-table.js";
import { pushOffer } from "./push-offer.js";
import { roundEndDialog, scoreSheet } from "./scores.js";
import { opponentSeats, pileDialog, seatBadges, seatPanel } from "./seats.js";
import { trickArea } from "./trick.js";
import { resultPanel, waitingRoom } from "./waiting-room.js";

const NARROW_QUERY = matchMedia("(max-width: 759px)");
const IN_PLAY = new Set(["active", "paused"]);

class HaggisTable extends PlayableTable {
  #cleanups = [];

  connected() {
    ensureSymbols();
    this.matchId = this.getAttribute("match");
    this.path = `/matches/${this.matchId}`;
    this.channel = new TabChannel(this.matchId, (version) => version > this.version && this.refresh());
    this.state.narrow = NARROW_QUERY.matches;
    const narrow = () => this.update({ narrow: NARROW_QUERY.matches });
    const refreshIfVisible = () => !document.hidden && this.state.table && this.refresh();
    const timer = setInterval(() => this.state.table?.round?.deadline && this.update({}), 1000);
    NARROW_QUERY.addEventListener("change", narrow);
    document.addEventListener("visibilitychange", refreshIfVisible);
    addEventListener("online", refreshIfVisible);
    this.#cleanups = [
      onSessionChange(() => this.start()),
      onSettingChange(() => this.update({})),
      () => clearInterval(timer),
      () => NARROW_QUERY.removeEventListener("change", narrow),
      () => document.removeEventListener("visibilitychange", refreshIfVisible),
      () => removeEventListener("online", refreshIfVisible),
      () => this.channel.close(),
    ];
    this.start();
  }

  disconnected() {
    this.feed?.stop();
    for (const stop of this.#cleanups) stop();
  }

  myName() {
    return me()?.username;
  }

  beforeRender() {
    this.oldPositions = cardPositions(this);
  }

  afterRender() {
    openDialogs(this);
    glide(this, this.oldPositions, (card) => {
      const from = card.closest("[data-from]")?.dataset.from;
      return from === undefined ? null : this.querySelector(`.seat[data-seat="${from}"] .backs`);
    });
  }

  view() {
    const { table, problem, loadFailed } = this.state;
    if (loadFailed) return loadErrorPanel(problem);
    if (!table) return h("p", { class: "loading" }, "Loading the match…");
    return [
      h("p", { class: "sr", role: "status", "aria-live": "polite", key: "said" }, this.state.announcement),
      IN_PLAY.has(table.status) ? this.gameView() : this.waitingView(),
      roundEndDialog(this),
      pileDialog(this),
      this.resignDialog(),
    ];
  }

  waitingView() {
    const { table } = this.state;
    return h(
      "div",
      { class: "match-layout", key: "layout" },
      h(
        "div",
        { class: "felt", "data-version": table.version },
        this.problemAlert(),
        table.status === "finished" ? resultPanel(this) : waitingRoom(this),
      ),
      this.sidebar(),
    );
  }

  gameView() {
    const { table } = this.state;
    return h(
      "div",
      { class: "match-layout", key: "layout" },
      h(
        "div",
        {
          class: "felt",
          "data-players": table.players,
          "data-version": table.version,
          "data-feed": this.state.feed,
          "aria-busy": String(Boolean(this.state.busy)),
        },
        h(
          "div",
          { class: "opponents" },
          opponentSeats(table).map((seat) => seatPanel(this, seat)),
        ),
        h("div", { class: "trick-area" }, trickArea(this)),
        table.you ? this.ownArea() : h("p", { class: "prompt quiet" }, "You are watching this match."),
      ),
      this.sidebar(),
    );
  }

  ownArea() {
    const { table } = this.state;
    const { seat, to_act: turn } = table.you;
    return h(
      "section",
      { class: `mine${turn ? " turn" : ""}`, "data-seat": seat, "aria-label": "Your seat" },
      this.problemAlert(),
      this.state.hintText
        ? h("p", { class: "prompt", role: "status", key: "hinted" }, this.state.hintText)
        : null,
      h("div", { class: "actions", key: "actions" }, actionArea(this)),
      pushOffer(this),
      handArea(this),
      h(
        "p",
        { class: "facts" },
        h("b", null, table.seats[seat].score),
        " points",
        ...seatBadges(this, seat),
        h(
          "button",
          {
            type: "button",
            class: "mark",
            onclick: () => updateSetting("order", setting("order") === "rank" ? "suit" : "rank"),
          },
          setting("order") === "rank" ? "sort by suit" : "sort by rank",
        ),
      ),
    );
  }

  problemAlert() {
    const { problem } = this.state;
    return problem
      ? h(
          "p",
          { class: "problem", role: "alert", key: "problem" },
          problem.message,
          " ",
          h(
            "button",
            {
              type: "button",
              class: "plain",
              "aria-label": "Dismiss",
              onclick: () => this.update({ problem: null }),
            },
            "×",
          ),
        )
      : null;
  }

  sidebar() {
    const { table, feed } = this.state;
    return h(
      "aside",
      { class: "side", "aria-label": "Match details" },
      scoreSheet(this),
      logList(this),
      table.you && IN_PLAY.has(table.status) ? keyHelp() : null,
      h(
        "p",
        { class: "small quiet" },
        h("a", { href: `/rules/${table.ruleset}` }, "Rules"),
        table.status === "active" && table.you
          ? [
              " · ",
              h(
                "button",
                { type: "button", class: "link", onclick: () => this.update({ confirmResign: true }) },
                "Resign",
              ),
            ]
          : null,
        pauseButton(this),
        feed === "offline" ? h("span", { class: "away", role: "status" }, " · Reconnecting…") : null,
      ),
    );
  }

  resignDialog() {
    if (!this.state.confirmResign) return null;
    return modalDialog(
      { key: "resign", title: "Resign?", onclose: () => this.update({ confirmResign: false }) },
      h("p", null, "You give up your seat and cannot take it back."),
      h(
        "form",
        { method: "dialog", class: "choices" },
        h("button", { class: "main", onclick: () => this.postAction("/resign") }, "Resign"),
        h("button", { autofocus: true }, "Keep playing"),
      ),
    );
  }
}

const loadErrorPanel = (problem) =>
  h(
    "div",
    { class: "panel" },
    h(
      "h1",
      null,
      problem instanceof Problem && problem.status === 404
        ? "Match not found"
        : "The service cannot be reached",
    ),
    h(
      "p",
      null,
      problem instanceof Problem
        ? "The match may be private. Log in as one of its players to see it."
        : "Retrying…",
    ),
    h("p", null, h("a", { class: "button main", href: "/" }, "Back to the lobby")),
  );

customElements.define("haggis-table", HaggisTable);
