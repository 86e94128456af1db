/* Chart of each seat's chance of going out first during a round. */

import { t } from "../lib/i18n.js";
import { h } from "../lib/vdom.js";

const [WIDTH, HEIGHT, MARGIN] = [260, 96, 4];
const DASHES = ["", "6 3", "2 3"];

/** Draw a line for each seat, and mark the current step and the turning points. */
export function chanceChart(view, round, decisions) {
  const steps = [...decisions].filter(([, decision]) => decision.round === round.number);
  if (steps.length < 2) return null;
  const [first, last] = [steps[0][0], steps.at(-1)[0]];
  const x = (index) => MARGIN + ((index - first) / (last - first)) * (WIDTH - 2 * MARGIN);
  const y = (chance) => HEIGHT - MARGIN - chance * (HEIGHT - 2 * MARGIN);
  const seats = [...new Set(steps.map(([, { seat }]) => seat))].sort();
  const turning = steps.filter(([, { version }]) => round.turning_points.includes(version));
  return h(
    "figure",
    { class: "chances", key: "chances" },
    h(
      "svg",
      {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        role: "img",
        "aria-label": t("Chance of going out first, turn by turn"),
      },
      h("path", { class: "middle-line", d: `M0 ${y(0.5)}H${WIDTH}` }),
      h("path", { class: "here", d: `M${x(Math.min(last, Math.max(first, view.step.index)))} 0V${HEIGHT}` }),
      seats.map((seat) =>
        seatLine(
          seat,
          steps.filter(([, decision]) => decision.seat === seat),
          x,
          y,
        ),
      ),
      turning.map(([index, { chance }]) =>
        h("circle", { key: index, class: "turning", cx: x(index), cy: y(chance), r: 3.5 }),
      ),
    ),
    h(
      "figcaption",
      { class: "small" },
      seats.map((seat) =>
        h(
          "span",
          { key: seat, class: "legend" },
          h(
            "svg",
            { viewBox: "0 0 22 6", "aria-hidden": "true" },
            h("path", { class: `seat-line s${seat}`, "stroke-dasharray": DASHES[seat], d: "M0 3H22" }),
          ),
          view.labelOf(seat).name,
        ),
      ),
    ),
    turning.length
      ? h(
          "p",
          { class: "small", key: "turning" },
          t("Turning points:"),
          " ",
          turning.map(([index], at) => [
            at ? ", " : "",
            h("a", { key: index, href: `#${index}` }, t("step {number}", { number: index + 1 })),
          ]),
        )
      : null,
  );
}

const seatLine = (seat, points, x, y) =>
  h("path", {
    key: seat,
    class: `seat-line s${seat}`,
    "stroke-dasharray": DASHES[seat],
    d: points.map(([index, { chance }], at) => `${at ? "L" : "M"}${x(index)} ${y(chance)}`).join(""),
  });
