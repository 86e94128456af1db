/* The end of a round: its last play stays visible for a moment, then its score sheet opens. */

import { fetchAll, get } from "../lib/api.js";

const LAST_PLAY_MS = 2600;

/** Add the end of rounds to a table. */
export const withRoundEnd = (Table) =>
  class extends Table {
    #next = null;
    #timer = null;
    #details = null;

    async start() {
      await super.start();
      await this.loadDetails();
    }

    disconnected() {
      clearTimeout(this.#timer);
      super.disconnected?.();
    }

    /** The module that explains score sheets, once it has been loaded. */
    get details() {
      return this.#details;
    }

    /** Load the module that explains score sheets, which the first view of a table does not need. */
    async loadDetails() {
      try {
        this.#details ??= await import("./score-details.js");
      } catch {
        // Without it, score sheets show points only.
      }
    }

    /** Show a table, or hold it back while the last play of the previous round is shown. */
    applyTable(table) {
      if (!this.state.lastPlay) super.applyTable(table);
      else if (table && table.version >= (this.#next?.version ?? 0)) this.#next = table;
    }

    /** Show the last play and the remaining hands before the score sheet. */
    roundEnded(ended) {
      const { log, table } = this.state;
      this.readRounds().catch(() => {});
      const shown = document.hidden ? null : this.#details?.lastPosition(table, log, ended);
      if (!shown) return this.openRound(ended);
      clearTimeout(this.#timer);
      this.#next = table.version >= shown.version ? table : null;
      this.#timer = setTimeout(() => this.showScores(), LAST_PLAY_MS);
      this.update({ table: shown, lastPlay: ended, selected: new Set(), check: null, choice: null });
      if (!this.#next) this.refresh();
    }

    /** Leave the last play: show the current table and open the score sheet. */
    showScores() {
      const { lastPlay } = this.state;
      if (!lastPlay) return;
      clearTimeout(this.#timer);
      this.update({ lastPlay: null });
      if (this.#next) this.applyTable(this.#next);
      else this.refresh();
      this.#next = null;
      this.openRound(lastPlay);
    }

    /** Open the score sheet of a round, and read what explains its points. */
    async openRound(round) {
      this.update({ endedRound: round, story: null, scorePart: null });
      await this.loadDetails();
      try {
        const { table, log } = this.state;
        const scoring = await get(`/rulesets/${table.ruleset}`);
        const entries = this.#details.entriesOfRound(log, round.number) ?? (await this.#readEntries(round));
        if (entries && this.state.endedRound === round)
          this.update({ story: this.#details.scoreStory(table, entries, round, scoring.scoring) });
      } catch {
        // The sheet shows the points without their cards.
      }
    }

    /** Read the log of a round that the page does not have. */
    async #readEntries({ number }) {
      if (!this.matchId) return null;
      const { first_version: first, last_version: last } = await get(`${this.path}/rounds/${number}`);
      const entries = [];
      for await (const entry of fetchAll(`${this.path}/moves?after=${Math.max(0, first - 2)}&limit=100`)) {
        entries.push(entry);
        if (entry.version >= last) break;
      }
      return this.#details.entriesOfRound(entries, number);
    }
  };
