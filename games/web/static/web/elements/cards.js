/* <haggis-cards>7r 7g J</haggis-cards>: replaces card codes in a text with drawn cards. */

import { cardImage, ensureSymbols } from "../lib/card-art.js";
import { render } from "../lib/vdom.js";

class HaggisCards extends HTMLElement {
  connectedCallback() {
    ensureSymbols();
    this.codes ??= this.textContent.trim().split(/\s+/);
    this.textContent = "";
    render(
      this.codes.map((code, index) => cardImage(code, { key: index })),
      this,
    );
  }
}

customElements.define("haggis-cards", HaggisCards);
