/* A small virtual DOM: `h` describes elements, `render` updates the document to match.

Elements are reused between renders, by `key` or by position, so focus, scroll position and animations survive. Text is
never parsed as markup. */

const SVG = "http://www.w3.org/2000/svg";
const PROPERTIES = new Set(["value", "checked", "disabled", "selected"]);

/** Describe an element. Children may be strings, numbers, descriptions, nested lists or null. */
export function h(tag, props, ...children) {
  return { tag, props: props ?? {}, key: props?.key, children: flatten(children) };
}

function flatten(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false && child !== "");
}

/** Update the children of `parent` to match the description. */
export function render(described, parent) {
  patchChildren(parent, flatten([described]), parent.namespaceURI === SVG);
}

function patchChildren(parent, descriptions, inSvg) {
  const reused = matchNodes([...parent.childNodes], descriptions);
  for (const node of [...parent.childNodes]) if (!reused.includes(node)) node.remove();
  let nextNode = parent.firstChild;
  descriptions.forEach((description, index) => {
    const previous = reused[index];
    const node = previous ? patch(previous, description, inSvg) : create(description, inSvg);
    if (node === nextNode) nextNode = nextNode.nextSibling;
    else parent.insertBefore(node, nextNode);
  });
}

/** Return for each description the existing node to reuse, if any. */
function matchNodes(nodes, descriptions) {
  const nodesByKey = new Map();
  const unkeyed = [];
  for (const node of nodes) {
    if (node.described?.key !== undefined) nodesByKey.set(node.described.key, node);
    else unkeyed.push(node);
  }
  return descriptions.map((description) => {
    if (description.key !== undefined) {
      const node = nodesByKey.get(description.key);
      return node && node.described.tag === description.tag ? node : undefined;
    }
    const at = unkeyed.findIndex((node) => canReuse(node, description));
    return at < 0 ? undefined : unkeyed.splice(0, at + 1)[at];
  });
}

function canReuse(node, description) {
  return isText(description) ? node.nodeType === Node.TEXT_NODE : node.described?.tag === description.tag;
}

const isText = (description) => typeof description !== "object";

function create(description, inSvg) {
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
  patchChildren(node, description.children, svg);
  for (const [name, value] of Object.entries(description.props)) {
    if (value !== before[name] || PROPERTIES.has(name)) setProp(node, name, value);
  }
  node.described = { tag: description.tag, key: description.key, props: description.props };
  return node;
}

function setProp(element, name, value) {
  if (name === "key") return;
  if (name.startsWith("on")) listen(element, name.slice(2), value);
  else if (name === "vars")
    for (const [key, each] of Object.entries(value ?? {})) element.style.setProperty(key, each);
  else if (PROPERTIES.has(name) && name in element) {
    if (element[name] !== (value ?? false)) element[name] = value ?? false;
  } else if (value === undefined || value === null || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : value);
}

/** Add one listener per event type, which calls the handler of the latest render. */
function listen(element, type, handler) {
  element.handlers ??= {};
  if (!(type in element.handlers)) element.addEventListener(type, (event) => element.handlers[type]?.(event));
  element.handlers[type] = handler;
}

/** Base class for custom elements that render their state. Subclasses implement `view`. */
export class View extends HTMLElement {
  state = {};
  #renderPending = false;

  connectedCallback() {
    this.update({});
    this.connected?.();
  }

  disconnectedCallback() {
    this.disconnected?.();
  }

  /** Merge changes into the state and render in a microtask, so changes made together render once. */
  update(changes) {
    Object.assign(this.state, changes);
    if (this.#renderPending) return;
    this.#renderPending = true;
    queueMicrotask(() => {
      this.#renderPending = false;
      if (this.isConnected) this.renderNow();
    });
  }

  renderNow() {
    this.beforeRender?.();
    render(this.view(), this);
    this.afterRender?.();
  }
}
