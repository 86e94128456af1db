/* <haggis-cards>7r 7g J</haggis-cards>: cards named in a text, drawn. */

import { ensureShapes, lyingCard } from "../lib/card-art.js";
import { render } from "../lib/vdom.js";

class HaggisCards extends HTMLElement {
  connectedCallback() {
    ensureShapes();
    this.codes ??= this.textContent.trim().split(/\s+/);
    this.textContent = "";
    render(
      this.codes.map((code, at) => lyingCard(code, { key: at })),
      this,
    );
  }
}

customElements.define("haggis-cards", HaggisCards);
