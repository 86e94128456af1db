/* <haggis-tokens>: personal tokens and bot accounts, for programs. Secrets are shown once, when they are created. */

import { getAll, post, remove, withoutEmpty } from "../lib/api.js";
import { FormView } from "../lib/forms.js";
import { t } from "../lib/i18n.js";
import { withPassword } from "../lib/reauthentication.js";
import { me, onSessionChange } from "../lib/session.js";
import { formatDate } from "../lib/times.js";
import { h } from "../lib/vdom.js";

const SCOPES = [
  ["matches:read", t("See your matches")],
  ["matches:play", t("Play your matches")],
  ["account:write", t("Change your account")],
  ["webhooks:write", t("Manage webhooks")],
];

class Tokens extends FormView {
  connected() {
    this.unsubscribe = onSessionChange(() => this.load());
    this.load();
  }

  disconnected() {
    this.unsubscribe();
  }

  async load() {
    if (me()?.kind !== "human") return this.update({ tokens: null, bots: null, secret: null });
    try {
      const [tokens, bots] = await Promise.all([getAll("/me/tokens"), getAll("/me/bots")]);
      this.update({ tokens, bots });
    } catch (problem) {
      this.update({ problem, place: "tokens" });
    }
  }

  /** Return a handler that runs an action which may need the password, and loads the lists again. */
  run = (action, done) =>
    this.submit(async (values) => {
      this.update({ secret: null });
      const secret = await withPassword(() => action(values));
      await this.load();
      this.update({ secret });
    }, done);

  view() {
    const { tokens, bots } = this.state;
    return tokens ? [this.tokensPanel(tokens), this.botsPanel(bots)] : [];
  }

  tokensPanel(tokens) {
    const others = tokens.filter((token) => token.name);
    return h(
      "section",
      { class: "panel", id: "tokens", key: "tokens" },
      h("h2", null, t("Tokens for programs")),
      ...this.feedback("tokens"),
      h(
        "p",
        { class: "quiet" },
        t("A program sends a token instead of your password. Each token permits only what you choose."),
      ),
      this.secretPanel("token"),
      others.length
        ? h(
            "ul",
            { class: "devices" },
            others.map((token) => this.tokenItem(token)),
          )
        : null,
      this.newTokenForm(),
    );
  }

  tokenItem(token) {
    const facts = t("{start}… · {scopes}", { start: token.starts_with, scopes: token.scopes.join(", ") });
    return h(
      "li",
      { key: token.id },
      h(
        "span",
        { class: "item" },
        h("b", null, token.name),
        h("span", { class: "quiet small" }, facts),
        token.expires_at
          ? h(
              "span",
              { class: "quiet small" },
              t("Expires on {date}", { date: formatDate(token.expires_at) }),
            )
          : null,
      ),
      h(
        "button",
        {
          type: "button",
          "aria-label": t("Revoke {name}", { name: token.name }),
          onclick: this.run(
            async () => {
              await remove(`/me/tokens/${token.id}`);
            },
            t("{name} has been revoked.", { name: token.name }),
          ),
        },
        t("Revoke"),
      ),
    );
  }

  newTokenForm() {
    const create = async ({ token_name: name, token_expires: expires, ...chosen }) => {
      const scopes = SCOPES.map(([scope]) => scope).filter((scope) => chosen[scope]);
      if (!scopes.length) throw new Error(t("Choose what the token permits."));
      const body = { name, scopes, ...withoutEmpty({ expires_at: expires && `${expires}T00:00:00Z` }) };
      return { kind: "token", name, value: (await post("/me/tokens", body)).token };
    };
    return h(
      "form",
      { key: "new-token", onsubmit: this.run(create, t("The token has been created.")) },
      h("h3", null, t("New token")),
      this.field("token_name", t("Name of the program"), { maxlength: 60, pointer: "/name" }),
      h(
        "fieldset",
        { class: "notification-kinds" },
        h("legend", null, t("The token permits")),
        SCOPES.map(([scope, title]) =>
          h(
            "label",
            { key: scope },
            h("input", { type: "checkbox", name: scope, "data-pointer": "/scopes", id: `scope-${scope}` }),
            h("span", null, title),
          ),
        ),
      ),
      this.field("token_expires", t("Expires on (optional)"), {
        type: "date",
        required: false,
        pointer: "/expires_at",
      }),
      h("button", { disabled: this.state.busy }, t("Create token")),
    );
  }

  /** Show the secret that was created last, once. */
  secretPanel(kind) {
    const { secret } = this.state;
    if (secret?.kind !== kind) return null;
    return h(
      "div",
      { class: "secret", key: "secret" },
      h(
        "label",
        { for: `${kind}-secret` },
        t("Token of {name}. Copy it now: it is not shown again.", { name: secret.name }),
      ),
      h(
        "div",
        { class: "field-row" },
        h("input", {
          id: `${kind}-secret`,
          readonly: true,
          value: secret.value,
          onfocus: (event) => event.target.select(),
        }),
        h("button", { type: "button", onclick: () => this.update({ secret: null }) }, t("Hide")),
      ),
    );
  }

  botsPanel(bots) {
    const create = async ({ bot_name: username }) => ({
      kind: "bot",
      name: username,
      value: (await post("/me/bots", { username })).token,
    });
    return h(
      "section",
      { class: "panel", id: "bots", key: "bots" },
      h("h2", null, t("Bots")),
      ...this.feedback("bots"),
      h(
        "p",
        { class: "quiet" },
        t("A bot is an account for a program that plays by itself. It has a token of its own."),
      ),
      this.secretPanel("bot"),
      bots.length
        ? h(
            "ul",
            { class: "devices" },
            bots.map((bot) => this.botItem(bot)),
          )
        : null,
      h(
        "form",
        { key: "new-bot", onsubmit: this.run(create, t("The bot has been created.")) },
        this.field("bot_name", t("Username of a new bot"), {
          autocomplete: "off",
          autocapitalize: "none",
          pointer: "/username",
        }),
        h("button", { disabled: this.state.busy }, t("Create bot")),
      ),
    );
  }

  botItem({ username }) {
    const renew = async () => ({
      kind: "bot",
      name: username,
      value: (await post(`/me/bots/${username}/token`)).token,
    });
    const erase = async () => {
      await remove(`/me/bots/${username}`);
    };
    const isConfirming = this.state.botToDelete === username;
    return h(
      "li",
      { key: username },
      h("b", null, username),
      h(
        "span",
        { class: "choices" },
        h(
          "button",
          {
            type: "button",
            "aria-label": t("New token for {name}", { name: username }),
            onclick: this.run(
              renew,
              t("{name} has a new token; the old one no longer works.", { name: username }),
            ),
          },
          t("New token"),
        ),
        isConfirming
          ? h(
              "button",
              {
                type: "button",
                class: "danger",
                key: "really",
                onclick: this.run(erase, t("{name} has been deleted.", { name: username })),
              },
              t("Delete {name} for good", { name: username }),
            )
          : h(
              "button",
              {
                type: "button",
                class: "plain",
                key: "delete",
                "aria-label": t("Delete {name}", { name: username }),
                onclick: () => this.update({ botToDelete: username }),
              },
              t("Delete"),
            ),
      ),
    );
  }
}

customElements.define("haggis-tokens", Tokens);
