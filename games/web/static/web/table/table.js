/* <haggis-table>: a match, from taking a seat to the last score. */

import { Problem } from "../lib/api.js";
import { ensureShapes } from "../lib/card-art.js";
import { glide, places } from "../lib/motion.js";
import { me, onChange } from "../lib/session.js";
import { onSetting, set, setting } from "../lib/settings.js";
import { h } from "../lib/vdom.js";
import { PlayedTable } from "./acting.js";
import { actionArea } from "./actions.js";
import { Channel } from "./channel.js";
import { handArea, keyHelp } from "./hand.js";
import { logList } from "./log.js";
import { offer } from "./offer.js";
import { askForPause } from "./pausing.js";
import { roundEnd, scoreSheet } from "./scores.js";
import { marks, others, pileDialog, seatPanel } from "./seats.js";
import { trickArea } from "./trick.js";
import { resultPanel, waitingRoom } from "./waiting.js";

const NARROW = matchMedia("(max-width: 759px)");
const PLAYED = new Set(["active", "paused"]);

class HaggisTable extends PlayedTable {
  #stops = [];

  begin() {
    ensureShapes();
    this.matchId = this.getAttribute("match");
    this.path = `/matches/${this.matchId}`;
    this.channel = new Channel(this.matchId, (version) => version > this.version && this.refresh());
    this.state.narrow = NARROW.matches;
    const narrow = () => this.update({ narrow: NARROW.matches });
    const wake = () => !document.hidden && this.state.table && this.refresh();
    const ticking = setInterval(() => this.state.table?.round?.deadline && this.update({}), 1000);
    NARROW.addEventListener("change", narrow);
    document.addEventListener("visibilitychange", wake);
    addEventListener("online", wake);
    this.#stops = [
      onChange(() => this.start()),
      onSetting(() => this.update({})),
      () => clearInterval(ticking),
      () => NARROW.removeEventListener("change", narrow),
      () => document.removeEventListener("visibilitychange", wake),
      () => removeEventListener("online", wake),
      () => this.channel.close(),
    ];
    this.start();
  }

  end() {
    this.feed?.stop();
    for (const stop of this.#stops) stop();
  }

  myName() {
    return me()?.username;
  }

  before() {
    this.places = places(this);
  }

  after() {
    for (const dialog of this.querySelectorAll("dialog[data-modal]")) if (!dialog.open) dialog.showModal();
    glide(this, this.places, (card) => {
      const from = card.closest("[data-from]")?.dataset.from;
      return from === undefined ? null : this.querySelector(`.seat[data-seat="${from}"] .backs`);
    });
  }

  view() {
    const { table, problem, lost } = this.state;
    if (lost) return lostPanel(problem);
    if (!table) return h("p", { class: "loading" }, "The table is being laid…");
    return [
      h("p", { class: "sr", role: "status", "aria-live": "polite", key: "said" }, this.state.said),
      PLAYED.has(table.status) ? this.playing() : this.notPlaying(),
      roundEnd(this),
      pileDialog(this),
      this.resigning(),
    ];
  }

  notPlaying() {
    const { table } = this.state;
    return h(
      "div",
      { class: "around", key: "around" },
      h(
        "div",
        { class: "felt", "data-version": table.version },
        this.problem(),
        table.status === "finished" ? resultPanel(this) : waitingRoom(this),
      ),
      this.side(),
    );
  }

  playing() {
    const { table } = this.state;
    return h(
      "div",
      { class: "around", key: "around" },
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
          { class: "others" },
          others(table).map((seat) => seatPanel(this, seat)),
        ),
        h("div", { class: "middle" }, trickArea(this)),
        table.you ? this.mine() : h("p", { class: "prompt quiet" }, "You are watching."),
      ),
      this.side(),
    );
  }

  mine() {
    const { table } = this.state;
    const { seat, to_act: turn } = table.you;
    return h(
      "section",
      { class: `mine${turn ? " turn" : ""}`, "data-seat": seat, "aria-label": "Your place" },
      this.problem(),
      this.state.hinted
        ? h("p", { class: "prompt", role: "status", key: "hinted" }, this.state.hinted)
        : null,
      h("div", { class: "actions", key: "actions" }, actionArea(this)),
      offer(this),
      handArea(this),
      h(
        "p",
        { class: "facts" },
        h("b", null, table.seats[seat].score),
        " points",
        ...marks(this, seat),
        h(
          "button",
          {
            type: "button",
            class: "mark",
            onclick: () => set("order", setting("order") === "rank" ? "suit" : "rank"),
          },
          setting("order") === "rank" ? "sort by suit" : "sort by rank",
        ),
      ),
    );
  }

  problem() {
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

  side() {
    const { table, feed } = this.state;
    return h(
      "aside",
      { class: "side", "aria-label": "The match" },
      scoreSheet(this),
      logList(this),
      table.you && PLAYED.has(table.status) ? keyHelp() : null,
      h(
        "p",
        { class: "small quiet" },
        h("a", { href: `/rules/${table.ruleset}` }, "The rules"),
        table.status === "active" && table.you
          ? [
              " · ",
              h(
                "button",
                { type: "button", class: "link", onclick: () => this.update({ resign: true }) },
                "Resign",
              ),
            ]
          : null,
        askForPause(this),
        feed === "away" ? h("span", { class: "away", role: "status" }, " · Looking for the service…") : null,
      ),
    );
  }

  resigning() {
    if (!this.state.resign) return null;
    return h(
      "dialog",
      {
        class: "sheet",
        key: "resign",
        "data-modal": true,
        "aria-label": "Resign?",
        onclose: () => this.update({ resign: false }),
      },
      h("h2", null, "Resign?"),
      h("p", null, "You give up your seat for good."),
      h(
        "form",
        { method: "dialog", class: "choices" },
        h("button", { class: "main", onclick: () => this.say("/resign") }, "Resign"),
        h("button", { autofocus: true }, "Play on"),
      ),
    );
  }
}

const lostPanel = (problem) =>
  h(
    "div",
    { class: "panel" },
    h(
      "h1",
      null,
      problem instanceof Problem && problem.status === 404
        ? "There is no such table"
        : "The table cannot be reached",
    ),
    h(
      "p",
      null,
      problem instanceof Problem ? "It may be private: log in as somebody who sits there." : "Trying again…",
    ),
    h("p", null, h("a", { class: "button main", href: "/" }, "To the lobby")),
  );

customElements.define("haggis-table", HaggisTable);
