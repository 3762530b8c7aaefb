// Small helpers: nodes are built, never written as HTML, so that foreign texts stay texts.

export const byId = (id) => document.getElementById(id);

export function node(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") element.className = value;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// Six significant digits, with a proper minus.
export function shown(x) {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "–" : x > 0 ? "∞" : "−∞";
  const size = Math.abs(x);
  const text = x === 0 ? "0" : size >= 1e7 || size < 1e-4 ? x.toExponential(5) : x.toPrecision(6);
  return text.replace(/-/g, "−");
}

// A length with a prefix: 20 cm, 5 mm, 2 km.
export function lengthText(x) {
  for (const [unit, size] of [["km", 1000], ["m", 1], ["cm", 0.01], ["mm", 0.001], ["µm", 1e-6]]) {
    if (x >= size * 0.999) return `${Number((x / size).toPrecision(3))} ${unit}`;
  }
  return `${x.toExponential(0)} m`;
}

// The largest of 1, 2, 5 times a power of ten that is not larger.
export function nice(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return (x / power >= 5 ? 5 : x / power >= 2 ? 2 : 1) * power;
}

export const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
