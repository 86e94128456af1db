/* Dates and times in the language of the page and the time zone of the browser. */

import { language } from "./i18n.js";

const LOCALE = language === "en" ? "en-GB" : language;

/** "4 March 2026, 17:05", in the usual short form of the language. */
export const formatTime = (iso) =>
  new Date(iso).toLocaleString(LOCALE, { dateStyle: "medium", timeStyle: "short" });

/** "4 March 2026", in the usual short form of the language. */
export const formatDate = (iso) => new Date(iso).toLocaleDateString(LOCALE, { dateStyle: "medium" });
