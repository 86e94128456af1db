/* <haggis-relations>: whom the player follows and blocks. */

import { getAll, remove } from "../lib/api.js";
import { FormView } from "../lib/forms.js";
import { t } from "../lib/i18n.js";
import { playerLink } from "../lib/players.js";
import { me, onSessionChange } from "../lib/session.js";
import { h } from "../lib/vdom.js";

class Relations extends FormView {
  connected() {
    this.unsubscribe = onSessionChange(() => this.load());
    this.load();
  }

  disconnected() {
    this.unsubscribe();
  }

  async load() {
    if (!me()) return this.update({ follows: null, blocks: null });
    try {
      const [follows, blocks] = await Promise.all([getAll("/me/follows"), getAll("/me/blocks")]);
      this.update({ follows, blocks });
    } catch (problem) {
      this.update({ problem, place: "relations" });
    }
  }

  view() {
    const { follows, blocks } = this.state;
    if (!follows) return [];
    return h(
      "section",
      { class: "panel", id: "relations", key: "relations" },
      h("h2", null, t("Other players")),
      ...this.feedback("relations"),
      h("h3", null, t("Players whom you follow")),
      this.list(follows, "/me/follows", t("Stop following"), t("Stop following {name}")),
      h("h3", null, t("Players whom you block")),
      h(
        "p",
        { class: "quiet" },
        t("They cannot join your matches or invite you, and you cannot join theirs."),
      ),
      this.list(blocks, "/me/blocks", t("Unblock"), t("Unblock {name}")),
    );
  }

  list(players, path, text, label) {
    if (!players.length)
      return h("p", { class: "quiet" }, t("Nobody. The pages of players have buttons for it."));
    return h(
      "ul",
      { class: "devices" },
      players.map((player) => this.item(player, path, text, label)),
    );
  }

  item({ username, display_name: name, online }, path, text, label) {
    const end = async () => {
      await remove(`${path}/${encodeURIComponent(username)}`);
      await this.load();
    };
    return h(
      "li",
      { key: username },
      h(
        "span",
        { class: "item" },
        playerLink(username, name || username),
        h(
          "span",
          { class: "quiet small" },
          online ? t("@{name} · online", { name: username }) : `@${username}`,
        ),
      ),
      h(
        "button",
        {
          type: "button",
          "aria-label": label.replace("{name}", name || username),
          onclick: this.submit(end, t("The list has been changed.")),
        },
        text,
      ),
    );
  }
}

customElements.define("haggis-relations", Relations);
