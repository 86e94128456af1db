/* Animate cards from their previous to their current position. */

import { motionAllowed, motionTime } from "./settings.js";

const GLIDE_MS = 320;
const EASING = "cubic-bezier(.2,.7,.2,1)";

/** Return the current position of every card that has an id. */
export function cardPositions(root) {
  const positions = new Map();
  if (!motionAllowed()) return positions;
  for (const card of root.querySelectorAll("[data-card]"))
    positions.set(card.dataset.card, card.getBoundingClientRect());
  return positions;
}

/** Animate every card from its previous position, and new cards from the element that `origin` returns for them. */
export function glide(root, before, origin = () => null) {
  if (!motionAllowed() || document.hidden) return;
  for (const card of root.querySelectorAll("[data-card]")) {
    const now = card.getBoundingClientRect();
    const previous = before.get(card.dataset.card) ?? origin(card)?.getBoundingClientRect();
    if (previous && now.width) move(card, previous, now, before.has(card.dataset.card));
  }
}

function move(card, previous, now, wasShown) {
  const x = previous.left + previous.width / 2 - (now.left + now.width / 2);
  const y = previous.top + previous.height / 2 - (now.top + now.height / 2);
  if (Math.abs(x) < 2 && Math.abs(y) < 2) return;
  const size = wasShown && now.width ? Math.min(2, previous.width / now.width) : 0.7;
  card.animate(
    [
      { transform: `translate(${x}px, ${y}px) scale(${size})`, opacity: wasShown ? 1 : 0.3 },
      { transform: "none", opacity: 1 },
    ],
    { duration: motionTime(GLIDE_MS), easing: EASING },
  );
}
