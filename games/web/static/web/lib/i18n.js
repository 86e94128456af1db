/* Translation of the user interface. Every text that a person reads passes through one of these functions.

Messages are English sentences with named placeholders, which are also the keys of the catalogue:

    t("Waiting for {name}.", { name })
    tn("{count} card", "{count} cards", count)
    tx("{who} won the trick.", { who: h("b", null, name) })

Translate whole sentences: other languages order words differently, so never join translated fragments. */

const ENGLISH = { language: "en", messages: {}, pluralIndex: (count) => Number(count !== 1) };
const catalogue = globalThis.haggisCatalogue ?? ENGLISH;

/** The language of the page, for `Intl` and for the `Accept-Language` of requests: "en", "de", "fr" or "es". */
export const language = catalogue.language ?? ENGLISH.language;

/** Mark a message that is translated elsewhere, for example a constant: `t(TITLES[key])`. */
export const msg = (message) => message;

const PLACEHOLDER = /\{(\w+)\}/g;

const fill = (message, values) => message.replace(PLACEHOLDER, (whole, name) => values[name] ?? whole);

const translation = (message) => catalogue.messages[message] ?? message;

/** Translate a message and fill in its placeholders. */
export const t = (message, values = {}) => fill(translation(message), values);

/** Translate a message that other languages express differently depending on its context: `tc("count", "three")`. */
export const tc = (context, message, values = {}) =>
  fill(catalogue.messages[`${context}\u0004${message}`] ?? message, values);

/** Translate a message that depends on a number, which fills the placeholder `{count}`. */
export function tn(singular, plural, count, values = {}) {
  const forms = catalogue.messages[singular];
  const message = Array.isArray(forms)
    ? forms[catalogue.pluralIndex(count)]
    : count === 1
      ? singular
      : plural;
  return fill(message, { count, ...values });
}

/** Translate a message whose placeholders are elements. Returns the list of strings and elements. */
export const tx = (message, values) =>
  translation(message)
    .split(/(\{\w+\})/)
    .filter((part) => part !== "")
    .map((part) => (/^\{\w+\}$/.test(part) ? (values[part.slice(1, -1)] ?? part) : part));
