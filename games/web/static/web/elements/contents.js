/* <haggis-contents>: a table of contents of the panels of the page, which come and go with the account. */

import { t } from "../lib/i18n.js";
import { h, View } from "../lib/vdom.js";

// A shorter page needs no table of contents.
const MIN_PANELS = 5;

class Contents extends View {
  connected() {
    const main = document.querySelector("main");
    this.observer = new MutationObserver((changes) => {
      if (changes.some(({ target }) => !this.contains(target))) this.update({});
    });
    this.observer.observe(main, { childList: true, subtree: true });
  }

  disconnected() {
    this.observer.disconnect();
  }

  view() {
    const panels = [...document.querySelectorAll("main .panel[id]")].filter((panel) =>
      panel.querySelector("h2"),
    );
    if (panels.length < MIN_PANELS) return [];
    return h(
      "nav",
      { "aria-label": t("On this page") },
      h(
        "ul",
        null,
        panels.map(({ id }) => h("li", { key: id }, this.link(id))),
      ),
    );
  }

  link(id) {
    const title = document.getElementById(id).querySelector("h2").textContent;
    return h("a", { href: `#${id}`, onclick: (event) => this.follow(event, id) }, title);
  }

  /** Show a panel and move the focus to its heading. */
  follow(event, id) {
    event.preventDefault();
    history.replaceState(null, "", `#${id}`);
    const heading = document.getElementById(id).querySelector("h2");
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    heading.scrollIntoView({ block: "start" });
  }
}

customElements.define("haggis-contents", Contents);
