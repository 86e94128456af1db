/* <haggis-languages>: the language switch. Its links work without scripts; for a player who is logged in, the choice is
also stored in the account, for e-mails and push messages. */

import { patch } from "../lib/api.js";
import { setSession, token } from "../lib/session.js";

class HaggisLanguages extends HTMLElement {
  connectedCallback() {
    this.addEventListener("click", (event) => this.choose(event));
  }

  async choose(event) {
    const link = event.target.closest("a");
    if (!link || !token()) return;
    event.preventDefault();
    try {
      setSession({ player: await patch("/me", { language: link.lang }) });
    } catch {
      // The page changes its language all the same.
    }
    location.assign(link.href);
  }
}

customElements.define("haggis-languages", HaggisLanguages);
