/* <haggis-apps>: the apps that the player has authorized, and those that the player has made. */

import { getAll, post, remove, withoutEmpty } from "../lib/api.js";
import { FormView } from "../lib/forms.js";
import { t, tn } from "../lib/i18n.js";
import { withPassword } from "../lib/reauthentication.js";
import { me, onSessionChange } from "../lib/session.js";
import { formatDate } from "../lib/times.js";
import { h } from "../lib/vdom.js";

class Apps extends FormView {
  connected() {
    this.unsubscribe = onSessionChange(() => this.load());
    this.load();
  }

  disconnected() {
    this.unsubscribe();
  }

  async load() {
    const kind = me()?.kind;
    if (!kind || kind === "bot") return this.update({ authorizations: null, apps: null });
    try {
      const [authorizations, apps] = await Promise.all([
        getAll("/me/authorizations"),
        kind === "human" ? getAll("/me/apps") : [],
      ]);
      this.update({ authorizations, apps });
      this.showPanelOfAddress();
    } catch (problem) {
      this.update({ problem, place: "apps" });
    }
  }

  /** Scroll to the panel that the link of a mail names, since it was not there when the page was loaded. */
  showPanelOfAddress() {
    if (location.hash === "#apps") document.getElementById("apps")?.scrollIntoView({ block: "start" });
  }

  /** Return a handler that runs an action which may need the password, and loads the lists again. */
  run = (action, done) =>
    this.submit(async (values) => {
      await withPassword(() => action(values));
      await this.load();
    }, done);

  view() {
    const { authorizations, apps } = this.state;
    if (!authorizations) return [];
    return [this.authorizationsPanel(authorizations), me()?.kind === "human" ? this.appsPanel(apps) : null];
  }

  authorizationsPanel(authorizations) {
    return h(
      "section",
      { class: "panel", id: "apps", key: "apps" },
      h("h2", null, t("Apps with access")),
      ...this.feedback("apps"),
      authorizations.length
        ? h(
            "ul",
            { class: "devices" },
            authorizations.map((each) => this.authorizationItem(each)),
          )
        : h("p", { class: "quiet" }, t("No app may use your account.")),
    );
  }

  authorizationItem({ id, app, scopes, last_used_at: lastUsed }) {
    const end = async () => {
      await remove(`/me/authorizations/${id}`);
    };
    return h(
      "li",
      { key: id },
      h(
        "span",
        { class: "item" },
        h("b", null, app.name),
        h(
          "span",
          { class: "quiet small" },
          t("By {owner} · {scopes}", { owner: app.owner, scopes: scopes.join(", ") }),
        ),
        h("span", { class: "quiet small" }, t("Last used on {date}", { date: formatDate(lastUsed) })),
      ),
      h(
        "button",
        {
          type: "button",
          "aria-label": t("End the access of {name}", { name: app.name }),
          onclick: this.run(end, t("{name} has no access any more.", { name: app.name })),
        },
        t("End access"),
      ),
    );
  }

  appsPanel(apps) {
    return h(
      "section",
      { class: "panel", id: "own-apps", key: "own-apps" },
      h("h2", null, t("Your own apps")),
      ...this.feedback("own-apps"),
      h("p", { class: "quiet" }, t("For developers: other players can let your app play for them.")),
      apps.length
        ? h(
            "ul",
            { class: "devices" },
            apps.map((app) => this.appItem(app)),
          )
        : null,
      this.newAppForm(),
    );
  }

  appItem(app) {
    const end = async () => {
      await remove(`/me/apps/${app.id}`);
    };
    return h(
      "li",
      { key: app.id },
      h(
        "span",
        { class: "item" },
        h("b", null, app.name),
        h("code", { class: "small" }, app.id),
        app.redirect_uris.map((address) => h("span", { class: "quiet small", key: address }, address)),
        h("span", { class: "quiet small" }, tn("{count} player", "{count} players", app.players)),
        app.stopped ? h("span", { class: "problem small" }, t("Stopped by the operators")) : null,
      ),
      h(
        "button",
        {
          type: "button",
          "aria-label": t("Delete {name}", { name: app.name }),
          onclick: this.run(end, t("{name} has been deleted.", { name: app.name })),
        },
        t("Delete"),
      ),
    );
  }

  newAppForm() {
    const create = async ({ app_name: name, app_addresses: addresses, app_website: website }) => {
      await post("/me/apps", {
        name,
        redirect_uris: addresses.split(/\s+/).filter(Boolean),
        ...withoutEmpty({ website }),
      });
    };
    return h(
      "form",
      { key: "new-app", onsubmit: this.run(create, t("The app has been registered.")) },
      h("h3", null, t("New app")),
      this.field("app_name", t("Name of the app"), { maxlength: 50, pointer: "/name" }),
      this.field("app_addresses", t("Redirect addresses, with spaces between them"), {
        pointer: "/redirect_uris",
        spellcheck: "false",
        autocapitalize: "none",
        hint: t("For example https://app.example.com/callback. They are compared character by character."),
      }),
      this.field("app_website", t("Website (optional)"), {
        type: "url",
        required: false,
        pointer: "/website",
      }),
      h("button", { disabled: this.state.busy }, t("Register app")),
    );
  }
}

customElements.define("haggis-apps", Apps);
