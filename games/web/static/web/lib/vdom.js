/* A page is a function of its state: `h` describes elements, `render` makes the document agree with them.

Elements keep their identity from one rendering to the next, by `key` or by place, so that focus, scrolling and
animations survive. No text ever becomes markup. */

const SVG = "http://www.w3.org/2000/svg";
const AS_PROPERTY = new Set(["value", "checked", "disabled", "selected"]);

/** Describe an element. Children may be texts, numbers, other descriptions, lists of them, or nothing. */
export function h(tag, props, ...children) {
  return { tag, props: props ?? {}, key: props?.key, children: flat(children) };
}

function flat(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false && child !== "");
}

/** Make the children of `parent` those described. */
export function render(described, parent) {
  patchChildren(parent, flat([described]), parent.namespaceURI === SVG);
}

function patchChildren(parent, wanted, inSvg) {
  const kept = match([...parent.childNodes], wanted);
  for (const node of [...parent.childNodes]) if (!kept.includes(node)) node.remove();
  let place = parent.firstChild;
  wanted.forEach((description, index) => {
    const old = kept[index];
    const node = old ? patch(old, description, inSvg) : make(description, inSvg);
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
  });
}

/** For each description the node that it had before, if any. */
function match(nodes, wanted) {
  const keyed = new Map();
  const rest = [];
  for (const node of nodes) {
    if (node.described?.key !== undefined) keyed.set(node.described.key, node);
    else rest.push(node);
  }
  return wanted.map((description) => {
    if (description.key !== undefined) {
      const node = keyed.get(description.key);
      return node && node.described.tag === description.tag ? node : undefined;
    }
    const at = rest.findIndex((node) => fits(node, description));
    return at < 0 ? undefined : rest.splice(0, at + 1)[at];
  });
}

function fits(node, description) {
  return isText(description) ? node.nodeType === Node.TEXT_NODE : node.described?.tag === description.tag;
}

const isText = (description) => typeof description !== "object";

function make(description, inSvg) {
  if (isText(description)) return document.createTextNode(String(description));
  const svg = inSvg || description.tag === "svg";
  const element = svg
    ? document.createElementNS(SVG, description.tag)
    : document.createElement(description.tag);
  element.described = { tag: description.tag, key: description.key, props: {} };
  return patch(element, description, inSvg);
}

function patch(node, description, inSvg) {
  if (isText(description)) {
    if (node.data !== String(description)) node.data = String(description);
    return node;
  }
  const svg = inSvg || description.tag === "svg";
  const before = node.described.props;
  for (const name of Object.keys(before)) if (!(name in description.props)) setProp(node, name, undefined);
  if (!description.props.own) patchChildren(node, description.children, svg);
  for (const [name, value] of Object.entries(description.props)) {
    if (value !== before[name] || AS_PROPERTY.has(name)) setProp(node, name, value);
  }
  node.described = { tag: description.tag, key: description.key, props: description.props };
  return node;
}

function setProp(element, name, value) {
  if (name === "key" || name === "own") return;
  if (name.startsWith("on")) listen(element, name.slice(2), value);
  else if (name === "vars")
    for (const [key, each] of Object.entries(value ?? {})) element.style.setProperty(key, each);
  else if (AS_PROPERTY.has(name) && name in element) {
    if (element[name] !== (value ?? false)) element[name] = value ?? false;
  } else if (value === undefined || value === null || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : value);
}

/** One listener for each kind of event, which calls whatever the last rendering named. */
function listen(element, kind, handler) {
  element.handlers ??= {};
  if (!(kind in element.handlers)) element.addEventListener(kind, (event) => element.handlers[kind]?.(event));
  element.handlers[kind] = handler;
}

/** A custom element that shows its state. Whoever extends it says how in `view`. */
export class View extends HTMLElement {
  state = {};
  #asked = false;

  connectedCallback() {
    this.update({});
    this.begin?.();
  }

  disconnectedCallback() {
    this.end?.();
  }

  /** Change the state and show it soon: changes of one moment are shown together. */
  update(changes) {
    Object.assign(this.state, changes);
    if (this.#asked) return;
    this.#asked = true;
    queueMicrotask(() => {
      this.#asked = false;
      if (this.isConnected) this.show();
    });
  }

  show() {
    this.before?.();
    render(this.view(), this);
    this.after?.();
  }
}
