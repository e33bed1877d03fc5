// Writes the cards of @letele/playing-cards (CC0), which are React components, as SVG files.
// Usage: node art.mjs OUTPUT_FOLDER, beside the node_modules that npm made.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const output = process.argv[2];
const source = readFileSync("node_modules/@letele/playing-cards/dist/index.esm.js", "utf8");

const escape = (text) => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
// React writes some attributes in camel case that SVG has with a hyphen; those below are camel case in SVG too.
const asIs = new Set(["viewBox", "preserveAspectRatio", "patternUnits", "patternTransform", "gradientUnits", "gradientTransform"]);
const renamed = { className: "class", xlinkHref: "xlink:href", xmlnsXlink: "xmlns:xlink", xmlSpace: "xml:space" };
const attribute = (name) =>
  renamed[name] ?? (asIs.has(name) ? name : name.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase()));
const style = (rules) =>
  Object.entries(rules).map(([name, value]) => `${attribute(name)}:${value}`).join(";");

function createElement(name, properties, ...children) {
  const attributes = Object.entries(properties ?? {})
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => ` ${attribute(key)}="${escape(key === "style" ? style(value) : value)}"`);
  return `<${name}${attributes.join("")}>${children.flat().filter(Boolean).join("")}</${name}>`;
}

const body = source
  .replace(/^import .*$/gm, "")
  .replace(/export \{([^}]*)\};?/, (_, names) =>
    "return {" + names.split(",").map((pair) => pair.trim().split(/\s+as\s+/).reverse().join(":")).join(",") + "};");
const cards = new Function("React", "_extends", body)({ createElement }, Object.assign);

mkdirSync(output, { recursive: true });
for (const [name, component] of Object.entries(cards)) {
  writeFileSync(join(output, `${name}.svg`), component({}));
}
