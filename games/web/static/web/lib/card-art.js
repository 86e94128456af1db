/* SVG drawings of the cards. Every suit has its own shape as well as its colour; face cards have a figure and no suit. */

import { cardName, isFace, rankText, suitOf } from "./cards.js";
import { h, render } from "./vdom.js";

const STAR = "M12 1.6l3 7 7.6.6-5.800 5 1.800 7.400L12 17.600l-6.600 4 1.800-7.400-5.800-5 7.600-.6z";

/** Suit symbols, in a 24 x 24 view box. */
const PIPS = {
  r: [
    h("path", {
      d: "M12 21.500C5 15.500 1.800 12 1.800 7.900A5.300 5.300 0 0 1 12 5.700a5.300 5.300 0 0 1 10.200 2.200c0 4.100-3.200 7.600-10.200 13.600z",
    }),
  ],
  o: [h("path", { d: STAR })],
  y: [
    h("path", {
      d: "M12 2C8.300 2 6.600 5.200 6.600 8.800c0 5-1.400 7.400-3.800 9.400h18.400c-2.400-2-3.800-4.400-3.800-9.400C17.400 5.200 15.700 2 12 2z",
    }),
    h("path", { d: "M9.200 19.600a2.800 2.800 0 0 0 5.600 0z" }),
  ],
  g: [
    h("path", {
      d: "M12 1.800a4.700 4.700 0 0 1 3.500 7.900 4.700 4.700 0 1 1-2.600 7.500c.2 2 .8 3.500 1.800 5H9.300c1-1.500 1.600-3 1.800-5a4.700 4.700 0 1 1-2.600-7.500A4.700 4.700 0 0 1 12 1.800z",
    }),
  ],
  b: [
    h("path", {
      d: "M12 1.500c3.400 5.400 7.600 9.300 7.600 13.600a7.600 7.600 0 0 1-15.200 0C4.400 10.800 8.600 6.900 12 1.500z",
    }),
  ],
};

/** Figures of the face cards, in the view box of a whole card: thistle, crown and stag. */
const FIGURES = {
  J: [
    h("path", {
      class: "stem",
      d: "M50 96v22M50 112c-6-9-14-9-22-15 9-3 18 2 22 15zM50 116c6-9 14-9 22-15-9-3-18 2-22 15z",
    }),
    h("path", { class: "bloom", d: "M36 70L26 40l12 10 2-18 9 15h2l9-15 2 18 12-10-10 30z" }),
    h("path", { class: "bulb", d: "M34 72h32c4 14-4 27-16 27s-20-13-16-27z" }),
    h("path", { class: "lattice", d: "M38 73l20 22M48 73l16 17M62 73L42 95M52 73L36 90" }),
  ],
  Q: [
    h("path", { class: "gold", d: "M27 96l-6-44 16 16 13-28 13 28 16-16-6 44z" }),
    h("path", { class: "bloom", d: "M26 100h48v9H26z" }),
    h("circle", { class: "gem", cx: 50, cy: 38, r: 4.5 }),
    h("circle", { class: "gem", cx: 20, cy: 50, r: 3.6 }),
    h("circle", { class: "gem", cx: 80, cy: 50, r: 3.6 }),
    h("path", {
      class: "gem",
      d: "M50 72l6 8-6 8-6-8zM34 82l3.500 4-3.500 4-3.500-4zM66 82l3.500 4-3.500 4-3.500-4z",
    }),
  ],
  K: [
    h("path", { class: "antler", d: "M46 72C40 60 29 61 25 38M36 63c-5-8-4-18-1-26M28 52c-5-2-8-6-9-11" }),
    h("path", { class: "antler", d: "M54 72c6-12 17-11 21-34M64 63c5-8 4-18 1-26M72 52c5-2 8-6 9-11" }),
    h("path", {
      class: "bloom",
      d: "M41 76c-6-4-12-3-16 0 4 6 10 8 16 6zM59 76c6-4 12-3 16 0-4 6-10 8-16 6z",
    }),
    h("path", { class: "bloom", d: "M40 78c0-10 20-10 20 0l-4 26c-1 9-11 9-12 0z" }),
    h("path", { class: "snout", d: "M45.500 104c1 6 8 6 9 0-2-4-7-4-9 0z" }),
    h("circle", { class: "snout", cx: 45, cy: 85, r: 1.7 }),
    h("circle", { class: "snout", cx: 55, cy: 85, r: 1.7 }),
  ],
};

const [LEFT, MIDDLE, RIGHT] = [36, 52, 68];
const PIP_POSITIONS = {
  2: [
    [MIDDLE, 36],
    [MIDDLE, 104],
  ],
  3: [
    [MIDDLE, 36],
    [MIDDLE, 70],
    [MIDDLE, 104],
  ],
  4: [
    [LEFT, 36],
    [RIGHT, 36],
    [LEFT, 104],
    [RIGHT, 104],
  ],
  5: [
    [LEFT, 36],
    [RIGHT, 36],
    [MIDDLE, 70],
    [LEFT, 104],
    [RIGHT, 104],
  ],
  6: [
    [LEFT, 36],
    [RIGHT, 36],
    [LEFT, 70],
    [RIGHT, 70],
    [LEFT, 104],
    [RIGHT, 104],
  ],
  7: [
    [LEFT, 36],
    [RIGHT, 36],
    [MIDDLE, 53],
    [LEFT, 70],
    [RIGHT, 70],
    [LEFT, 104],
    [RIGHT, 104],
  ],
  8: [
    [LEFT, 36],
    [RIGHT, 36],
    [MIDDLE, 53],
    [LEFT, 70],
    [RIGHT, 70],
    [MIDDLE, 87],
    [LEFT, 104],
    [RIGHT, 104],
  ],
  9: [
    [LEFT, 33],
    [RIGHT, 33],
    [LEFT, 58],
    [RIGHT, 58],
    [MIDDLE, 70],
    [LEFT, 82],
    [RIGHT, 82],
    [LEFT, 107],
    [RIGHT, 107],
  ],
  10: [
    [LEFT, 33],
    [RIGHT, 33],
    [MIDDLE, 46],
    [LEFT, 58],
    [RIGHT, 58],
    [LEFT, 82],
    [RIGHT, 82],
    [MIDDLE, 94],
    [LEFT, 107],
    [RIGHT, 107],
  ],
};

/** Add the shared SVG symbols to the page once; every card references them. */
export function ensureSymbols() {
  if (document.getElementById("shapes")) return;
  const container = document.createElement("div");
  container.id = "shapes";
  container.hidden = true;
  document.body.prepend(container);
  render(h("svg", { width: 0, height: 0, "aria-hidden": "true" }, symbols()), container);
}

function symbols() {
  return [
    Object.entries(PIPS).map(([suit, paths]) =>
      h("symbol", { id: `pip-${suit}`, viewBox: "0 0 24 24" }, paths),
    ),
    Object.entries(FIGURES).map(([face, paths]) =>
      h("symbol", { id: `figure-${face}`, viewBox: "0 0 100 140" }, paths),
    ),
    h("symbol", { id: "back", viewBox: "0 0 100 140" }, tartan()),
  ];
}

/** The back of a card: a plain tartan. */
function tartan() {
  const band = (x0, width, kind) => [
    h("path", { class: kind, "stroke-width": width, d: `M${x0} 6V134` }),
    h("path", { class: kind, "stroke-width": width, d: `M6 ${x0 + 20}H94` }),
  ];
  return [
    h("rect", { class: "edge", x: 1, y: 1, width: 98, height: 138, rx: 9 }),
    h("rect", { class: "cloth", x: 6, y: 6, width: 88, height: 128, rx: 5 }),
    band(27, 13, "wide"),
    band(73, 13, "wide"),
    band(50, 4, "narrow"),
    band(27, 1.5, "thread"),
    band(73, 1.5, "thread"),
    h("path", { class: "wide", "stroke-width": 13, d: "M6 6" }),
  ];
}

const useSymbol = (id, x, y, size, turned) =>
  h("use", {
    href: `#${id}`,
    x: x - size / 2,
    y: y - size / 2,
    width: size,
    height: size,
    transform: turned ? `rotate(180 ${x} ${y})` : undefined,
  });

/** Draw a card face up. `plain` draws one large symbol, for cards shown small. */
export function cardArt(code, { plain = false } = {}) {
  return h(
    "svg",
    {
      class: `art ${isFace(code) ? "face" : `suit-${suitOf(code)}`}`,
      viewBox: "0 0 100 140",
      "aria-hidden": "true",
    },
    h("rect", { class: "paper", x: 1, y: 1, width: 98, height: 138, rx: 9 }),
    plain ? smallFace(code) : largeFace(code),
  );
}

function largeFace(code) {
  const corner = [
    h("text", { class: `rank${code[0] === "T" ? " ten" : ""}`, x: 15, y: 27 }, rankText(code)),
    isFace(code) ? null : useSymbol(`pip-${suitOf(code)}`, 15, 41, 17),
  ];
  return [
    h("g", null, corner),
    h("g", { transform: "rotate(180 50 70)" }, corner),
    isFace(code) ? figure(code) : pips(code),
  ];
}

function smallFace(code) {
  if (isFace(code))
    return [h("text", { class: "rank large", x: 26, y: 42 }, rankText(code)), figure(code, "small")];
  return [
    h("text", { class: "rank large", x: 28, y: 44 }, rankText(code)),
    useSymbol(`pip-${suitOf(code)}`, 28, 66, 30),
    useSymbol(`pip-${suitOf(code)}`, 64, 104, 54),
  ];
}

const figure = (code, size) =>
  size === "small"
    ? h("use", { href: `#figure-${code}`, x: 16, y: 32, width: 84, height: 112 })
    : [
        h("rect", { class: "frame", x: 26, y: 14, width: 48, height: 112, rx: 5 }),
        h("use", { href: `#figure-${code}`, x: 14, y: 16, width: 72, height: 104 }),
      ];

const pips = (code) =>
  (PIP_POSITIONS[rankText(code)] ?? []).map(([x, y]) => useSymbol(`pip-${suitOf(code)}`, x, y, 20, y > 70));

export const cardBack = () =>
  h(
    "svg",
    { class: "art back", viewBox: "0 0 100 140", "aria-hidden": "true" },
    h("use", { href: "#back", width: 100, height: 140 }),
  );

/** Draw a card that is not interactive. */
export const cardImage = (code, props = {}) =>
  h(
    "span",
    { class: "card", role: "img", "aria-label": cardName(code), "data-card": props.cardId, key: props.key },
    cardArt(code, { plain: props.plain ?? true }),
  );
