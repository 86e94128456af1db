/* <haggis-personal-data>: request an archive of all that is stored about the player, and download it. */

import { get, getFile, Problem, post } from "../lib/api.js";
import { FormView } from "../lib/forms.js";
import { t } from "../lib/i18n.js";
import { withPassword } from "../lib/reauthentication.js";
import { me, onSessionChange, token } from "../lib/session.js";
import { formatTime } from "../lib/times.js";
import { h } from "../lib/vdom.js";

const POLL_MS = 5000;

class PersonalData extends FormView {
  connected() {
    this.unsubscribe = onSessionChange(() => this.load());
    this.load();
  }

  disconnected() {
    this.unsubscribe();
    clearTimeout(this.timer);
  }

  async load() {
    clearTimeout(this.timer);
    if (!me()) return this.update({ archive: undefined });
    try {
      const archive = await get("/me/export");
      this.update({ archive });
      if (["pending", "running"].includes(archive.status))
        this.timer = setTimeout(() => this.load(), POLL_MS);
    } catch (problem) {
      if (problem instanceof Problem && problem.status === 404) this.update({ archive: null });
      else if (token()) this.update({ problem, place: "data" });
    }
  }

  request = async () => {
    await withPassword(() => post("/me/export"));
    await this.load();
  };

  download = async () => {
    const file = await withPassword(() => getFile("/me/export/archive"));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = `haggis-${me().username}.zip`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  };

  view() {
    const { archive } = this.state;
    if (archive === undefined) return this.feedback("data");
    const isReady = archive?.status === "ready";
    const isWaiting = archive && ["pending", "running"].includes(archive.status);
    return h(
      "form",
      { class: "panel", id: "data", onsubmit: this.submit(isReady ? this.download : this.request) },
      h("h2", null, t("Your data")),
      ...this.feedback("data"),
      h(
        "p",
        { class: "quiet" },
        isReady
          ? t("The archive is ready. It is deleted on {time}.", { time: formatTime(archive.expires_at) })
          : isWaiting
            ? t("The archive is being written. You can leave this page.")
            : t("All that is stored about you, as an archive of JSON files. You can ask for it once a day."),
      ),
      h(
        "button",
        { disabled: Boolean(isWaiting) },
        isReady ? t("Download the archive") : t("Request the archive"),
      ),
    );
  }
}

customElements.define("haggis-personal-data", PersonalData);
