/* Cards glide from where they were to where they are. */

import { mayMove } from "./settings.js";

const GLIDE = { duration: 320, easing: "cubic-bezier(.2,.7,.2,1)" };

/** Where each marked card is now. */
export function places(root) {
  const found = new Map();
  if (!mayMove()) return found;
  for (const card of root.querySelectorAll("[data-card]"))
    found.set(card.dataset.card, card.getBoundingClientRect());
  return found;
}

/** Let every marked card come from its old place; a new one from the element that `origin` names for it. */
export function glide(root, before, origin = () => null) {
  if (!mayMove() || document.hidden) return;
  for (const card of root.querySelectorAll("[data-card]")) {
    const now = card.getBoundingClientRect();
    const old = before.get(card.dataset.card) ?? origin(card)?.getBoundingClientRect();
    if (old && now.width) move(card, old, now, before.has(card.dataset.card));
  }
}

function move(card, old, now, known) {
  const x = old.left + old.width / 2 - (now.left + now.width / 2);
  const y = old.top + old.height / 2 - (now.top + now.height / 2);
  if (Math.abs(x) < 2 && Math.abs(y) < 2) return;
  const size = known && now.width ? Math.min(2, old.width / now.width) : 0.7;
  card.animate(
    [
      { transform: `translate(${x}px, ${y}px) scale(${size})`, opacity: known ? 1 : 0.3 },
      { transform: "none", opacity: 1 },
    ],
    GLIDE,
  );
}
