/* Links to the pages of players. */

import { h } from "./vdom.js";

const DELETED_PREFIX = "deleted-";

/** The page of a player. */
export const playerPath = (username) => `/@${encodeURIComponent(username)}`;

/** The name of a player as a link to their page; plain text if there is no such page: an AI, a deleted account. */
export function playerLink(username, name, props = {}) {
  if (!username || username.startsWith(DELETED_PREFIX)) return name;
  return h("a", { class: "player-link", href: playerPath(username), ...props }, name);
}

/** A sentence in which the names of the players are links. `people` are labels of seats, see `seatLabels`. */
export function linkNames(sentence, people) {
  const found = people
    .filter((each) => each.username && !each.me && sentence.includes(each.name))
    .map((each) => ({ ...each, at: sentence.indexOf(each.name) }))
    .sort((one, other) => one.at - other.at || other.name.length - one.name.length)[0];
  if (!found) return [sentence];
  const { at, name, username } = found;
  return [
    sentence.slice(0, at),
    playerLink(username, name),
    ...linkNames(sentence.slice(at + name.length), people),
  ];
}

/** The name of a seat as a link, from its label. */
export const labelLink = ({ username, name }) => playerLink(username, name);
