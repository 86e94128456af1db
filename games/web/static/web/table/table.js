/* <haggis-table>: a match, from the waiting room to the result. */

import { Problem } from "../lib/api.js";
import { ensureSymbols } from "../lib/card-art.js";
import { modalDialog, openDialogs } from "../lib/dialog.js";
import { t, tx } from "../lib/i18n.js";
import { cardPositions, glide } from "../lib/motion.js";
import { PlayerEvents } from "../lib/player-events.js";
import { me, onSessionChange } from "../lib/session.js";
import { onSettingChange, setting, updateSetting } from "../lib/settings.js";
import { listText } from "../lib/text.js";
import { h } from "../lib/vdom.js";
import { countWatchers, watchersText } from "../watch/watcher-count.js";
import { actionDialog } from "./action-dialogs.js";
import { actionArea, connectionNotice } from "./actions.js";
import { TabChannel } from "./channel.js";
import { handArea } from "./hand.js";
import { helpButtons, helpDialog, opensHelp } from "./help.js";
import { logIsAtEnd, logList, scrollLogToEnd } from "./log.js";
import { ownSeat } from "./names.js";
import { pauseButton } from "./pause.js";
import { PlayableTable } from "./playable-table.js";
import { pushOffer } from "./push-offer.js";
import { withRoundEnd } from "./round-end.js";
import { roundEndDialog, scoreSheet } from "./scores.js";
import { opponentSeats, pileDialog, seatBadges, seatPanel } from "./seats.js";
import { tipDialog, tipPlace } from "./tips.js";
import { trickArea } from "./trick.js";
import { resultPanel, waitingRoom } from "./waiting-room.js";

const NARROW_QUERY = matchMedia("(max-width: 759px), (max-height: 500px)");
const SHORT_QUERY = matchMedia("(max-width: 559px) and (max-height: 759px)");
const screenSize = () => ({ narrow: NARROW_QUERY.matches, short: SHORT_QUERY.matches });
const IN_PLAY = new Set(["active", "paused"]);
// How often an open result page looks for a rematch, and for how long, where streams are not available.
const REMATCH_POLL_MS = 10_000;
const MAX_REMATCH_POLLS = 180;

export class HaggisTable extends withRoundEnd(PlayableTable) {
  #cleanups = [];

  /** How many cards the hand has in one row on narrow screens, before it has two. */
  cardsInOneRow = 5;

  connected() {
    ensureSymbols();
    this.matchId = this.getAttribute("match");
    this.path = `/matches/${this.matchId}`;
    this.channel = new TabChannel(this.matchId, (version) => version > this.version && this.refresh());
    Object.assign(this.state, screenSize());
    const resized = () => this.update(screenSize());
    const refreshIfVisible = () => !document.hidden && this.state.table && this.refresh();
    const timer = setInterval(() => this.state.table?.round?.deadline && this.update({}), 1000);
    for (const query of [NARROW_QUERY, SHORT_QUERY]) query.addEventListener("change", resized);
    document.addEventListener("visibilitychange", refreshIfVisible);
    addEventListener("online", refreshIfVisible);
    const helpKey = (event) => opensHelp(event) && this.update({ sheet: "help" });
    document.addEventListener("keydown", helpKey);
    // After a dialog the focus returns to what opened it, unless that is gone.
    this.addEventListener("close", () => this.restoreFocus(), true);
    this.#cleanups = [
      () => document.removeEventListener("keydown", helpKey),
      () => this.stopWaitingForRematch(),
      onSessionChange(() => this.start()),
      onSettingChange(() => this.update({})),
      () => clearInterval(timer),
      () => NARROW_QUERY.removeEventListener("change", resized),
      () => SHORT_QUERY.removeEventListener("change", resized),
      () => document.removeEventListener("visibilitychange", refreshIfVisible),
      () => removeEventListener("online", refreshIfVisible),
      () => this.channel.close(),
      // A lesson is not a match.
      this.matchId ? countWatchers(this.matchId, (watchers) => this.update({ watchers })) : () => {},
    ];
    this.start();
  }

  disconnected() {
    super.disconnected();
    this.feed?.stop();
    for (const stop of this.#cleanups) stop();
  }

  /** Look for a rematch that somebody else starts while the result is shown. Streams end with the match. */
  waitForRematch() {
    const { table } = this.state;
    if (table?.status !== "finished" || table.next_match) return this.stopWaitingForRematch();
    if (this.rematchTimer) return;
    let polls = 0;
    const look = () => !document.hidden && (polls += 1) <= MAX_REMATCH_POLLS && this.refresh();
    this.rematchTimer = setInterval(look, REMATCH_POLL_MS);
    if (ownSeat(table) !== null) this.rematchEvents = new PlayerEvents(() => this.refresh());
  }

  stopWaitingForRematch() {
    clearInterval(this.rematchTimer);
    this.rematchEvents?.stop();
    this.rematchTimer = this.rematchEvents = null;
  }

  /** Move the focus to the hand if the element that had it is gone and nothing else gets it. */
  restoreFocus() {
    setTimeout(() => {
      if (document.activeElement === document.body && !this.querySelector("dialog[open]")) this.focusHand();
    }, 0);
  }

  myName() {
    return me()?.username;
  }

  beforeRender() {
    this.oldPositions = cardPositions(this);
    this.followsLog = logIsAtEnd(this);
    this.hadFocus = this.contains(document.activeElement);
  }

  afterRender() {
    openDialogs(this);
    if (this.followsLog) scrollLogToEnd(this);
    this.waitForRematch();
    if (this.hadFocus && document.activeElement === document.body) this.restoreFocus();
    glide(this, this.oldPositions, (card) => {
      const from = card.closest("[data-from]")?.dataset.from;
      return from === undefined ? null : this.querySelector(`.seat[data-seat="${from}"] .hand-summary`);
    });
  }

  view() {
    const { table, problem, loadFailed } = this.state;
    if (loadFailed) return loadErrorPanel(problem);
    if (!table) return h("p", { class: "loading" }, t("Loading the match…"));
    return [
      this.skipLink(),
      h("p", { class: "sr", role: "status", "aria-live": "polite", key: "said" }, this.state.announcement),
      IN_PLAY.has(table.status) ? this.gameView() : this.waitingView(),
      roundEndDialog(this),
      pileDialog(this),
      actionDialog(this),
      helpDialog(this),
      tipDialog(this),
      this.resignDialog(),
    ];
  }

  skipLink() {
    const { table } = this.state;
    if (!table.you || !table.round) return null;
    const skip = (event) => {
      event.preventDefault();
      this.focusHand();
    };
    return h("a", { class: "skip", href: "#hand", key: "skip", onclick: skip }, t("Skip to your hand"));
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
      h("h1", { class: "sr" }, this.heading()),
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
        this.tips(),
        table.you ? this.ownArea() : this.watchingNote(),
      ),
      this.sidebar(),
    );
  }

  /** The tips of the first matches. */
  tips() {
    return tipPlace(this);
  }

  heading() {
    const { table } = this.state;
    const names = opponentSeats(table).map((seat) => this.labelOf(seat).name);
    return table.you
      ? t("Match against {names}", { names: listText(names) })
      : t("Match of {names}", { names: listText(names) });
  }

  /** Say why the visitor cannot act: by watching, or by having resigned. */
  watchingNote() {
    if (ownSeat(this.state.table) === null)
      return (
        connectionNotice(this) ??
        h("p", { class: "prompt quiet watching", key: "watching" }, t("You are watching this match."))
      );
    return h(
      "div",
      { class: "prompt watching resigned", key: "resigned", tabindex: -1 },
      h("p", null, h("b", null, t("You have resigned."))),
      h(
        "p",
        { class: "quiet" },
        t(
          "An AI plays your cards until the match ends, and you are placed last. You can watch the others finish.",
        ),
      ),
      connectionNotice(this),
      h("a", { class: "button", href: "/" }, t("Back to the lobby")),
    );
  }

  ownArea() {
    const { table } = this.state;
    const { seat, to_act: turn } = table.you;
    return h(
      "section",
      { class: `mine${turn ? " turn" : ""}`, "data-seat": seat, "aria-label": t("Your seat") },
      this.notices(),
      h("div", { class: "actions", key: "actions" }, actionArea(this)),
      handArea(this),
      h(
        "p",
        { class: "facts" },
        h("span", null, tx("{points} points", { points: h("b", null, table.seats[seat].score) })),
        h(
          "button",
          {
            type: "button",
            class: "mark",
            onclick: () => updateSetting("order", setting("order") === "rank" ? "suit" : "rank"),
          },
          setting("order") === "rank" ? t("sort by suit") : t("sort by rank"),
        ),
        h("span", { class: "badges" }, seatBadges(this, seat)),
      ),
    );
  }

  /** Show messages above the actions without moving anything. */
  notices() {
    const { hintText } = this.state;
    return h(
      "div",
      { class: "notices", key: "notices" },
      this.problemAlert(),
      hintText ? h("p", { class: "notice", key: "hinted" }, hintText) : null,
      pushOffer(this),
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
              "aria-label": t("Dismiss"),
              onclick: () => this.update({ problem: null }),
            },
            "×",
          ),
        )
      : null;
  }

  sidebar() {
    const { table } = this.state;
    return h(
      "aside",
      { class: "side", "aria-label": t("Match details") },
      scoreSheet(this),
      logList(this),
      h(
        "p",
        { class: "small quiet side-links" },
        h("a", { href: `/rules/${table.ruleset}` }, t("Rules")),
        helpButtons(this),
        table.status === "active" && table.you
          ? h(
              "button",
              { type: "button", class: "link", onclick: () => this.update({ confirmResign: true }) },
              canEnd(table) ? t("End match") : t("Resign"),
            )
          : null,
        pauseButton(this),
        this.state.watchers && table.status === "active"
          ? h("span", { class: "watchers", key: "watchers" }, watchersText(this.state.watchers))
          : null,
        this.reportButtons(),
      ),
    );
  }

  /** Offer to report each person at the table. The dialog is loaded only when it is needed. */
  reportButtons() {
    const { id, seats } = this.state.table;
    const names = seats.map((seat) => seat.player?.username).filter((name) => name && name !== this.myName());
    return names.map((username) =>
      h(
        "button",
        {
          type: "button",
          class: "link",
          key: `report ${username}`,
          onclick: async () => (await import("../lib/report.js")).openReport({ username, match: id }),
        },
        t("Report {name}", { name: username }),
      ),
    );
  }

  /** Resign, and cancel a match that AIs would play on without the player. */
  async resign(endsMatch) {
    const table = await this.postAction("/resign");
    if (endsMatch && table && table.status !== "finished") await this.postAction("/cancel");
  }

  resignDialog() {
    if (!this.state.confirmResign) return null;
    const endsMatch = canEnd(this.state.table);
    return modalDialog(
      {
        key: "resign",
        title: endsMatch ? t("End this match?") : t("Resign?"),
        onclose: () => this.update({ confirmResign: false }),
      },
      h(
        "p",
        null,
        endsMatch
          ? t("You resign, and the match ends. You cannot continue it later.")
          : this.state.table.players === 2
            ? t("Your opponent wins the match. You cannot take it back.")
            : t(
                "An AI plays your cards until the match ends, and you are placed last. You cannot take it back.",
              ),
      ),
      h(
        "form",
        { method: "dialog", class: "choices" },
        h(
          "button",
          { class: "main", onclick: () => this.resign(endsMatch) },
          endsMatch ? t("End match") : t("Resign"),
        ),
        h("button", { autofocus: true }, t("Keep playing")),
      ),
    );
  }
}

/** Return whether the player's opponents are all AI players: resigning ends the match then. */
/** Return whether the player can end the match alone: only AIs play on, and two of them only for its maker. */
const canEnd = ({ seats, you, maker }) =>
  seats.every((seat, number) => number === you?.seat || seat.level) &&
  (seats.length === 2 || maker === me()?.username);

const loadErrorPanel = (problem) =>
  h(
    "div",
    { class: "panel" },
    h(
      "h1",
      null,
      problem instanceof Problem && problem.status === 404
        ? t("Match not found")
        : t("The service cannot be reached"),
    ),
    h(
      "p",
      null,
      problem instanceof Problem
        ? t("The match may be private. Log in as one of its players to see it.")
        : t("Reconnecting…"),
    ),
    h("p", null, h("a", { class: "button main", href: "/" }, t("Back to the lobby"))),
  );

customElements.define("haggis-table", HaggisTable);
