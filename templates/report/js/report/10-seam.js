// What other scripts may ask of this one: PM.
(() => {
  "use strict";

  const page = document.documentElement;
  const root = document.currentScript.dataset.root;
  const said = window.PM_WORDS;
  const plural = new Intl.PluralRules(page.lang);
  const digits = new Intl.NumberFormat(page.lang === "en" ? "en-GB" : page.lang);

  const written = (value) => (typeof value === "number" ? digits.format(value) : value);
  const filled = (words, values) => words.replace(/\{([a-z_]+)\}/g, (_, name) => written(values[name]));

  // A place of ours and no other: a script in a/, or what a build left above the report.
  const OURS = /^(\.\.\/){0,12}(a(\/[a-z0-9-]+){1,3}(\.[a-z0-9-]+)?|(\.\.\/){2,3}(freshness|looks|news))\.js$/;
  const scriptUrl = (url) => (OURS.test(url) ? url : "");
  const policy = window.trustedTypes ? trustedTypes.createPolicy("app", { createScriptURL: scriptUrl }) : null;

  // Load a script of ours, named from the report's folder; the promise fails when there is none.
  const load = (path) => new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = policy ? policy.createScriptURL(root + path) : scriptUrl(root + path);
    script.addEventListener("load", () => { script.remove(); resolve(); });
    script.addEventListener("error", () => { script.remove(); reject(new Error(path)); });
    document.head.append(script);
  });

  const ready = (run) => {
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", run);
    else run();
  };

  const text = (key, values = {}) => filled(said[key], values);
  const count = (key, number) => filled(said[key][plural.select(number)], { n: number });

  // Storage may be forbidden for files: a choice then holds for this page alone.
  const stored = (use) => { try { return use(localStorage); } catch { return null; } };
  const recall = (name) => stored((box) => box.getItem(`projects-meta.${name}`));
  const remember = (name, value) => stored((box) => box.setItem(`projects-meta.${name}`, value));

  const relative = new Intl.RelativeTimeFormat(page.lang);
  const hoursSince = (iso) => (Date.now() - Date.parse(iso)) / 3600000;
  const UNITS = [[1, 1 / 60, "minute"], [48, 1, "hour"], [60 * 24, 24, "day"], [730 * 24, 30.44 * 24, "month"], [Infinity, 365.25 * 24, "year"]];

  // How long ago that is; a moment that a clock put into the future is now.
  const age = (iso) => {
    const hours = Math.max(0, hoursSince(iso));
    const [, size, unit] = UNITS.find(([limit]) => hours < limit);
    return relative.format(-Math.max(1, size > 24 ? Math.round(hours / size) : Math.floor(hours / size)), unit);
  };

  // An element with attributes (a null one is left out) and children: elements, and texts that stay texts.
  const make = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) if (value !== null) made.setAttribute(key, value);
    made.append(...children.filter((child) => child !== null));
    return made;
  };

  // More words, for a script that brings its own.
  const learn = (words) => Object.assign(said, words);

  // A file of the build folder, which is above versions/NNNNNN/report/, or above current/report/ and stage/report/.
  const above = (name) => {
    const folder = new URL(root || "./", location.href).pathname;
    if (/\/versions\/[0-9]{6,}\/report\/$/.test(folder)) return load(`../../../${name}`);
    if (/\/(current|stage)\/report\/$/.test(folder)) return load(`../../${name}`);
    return Promise.reject(new Error(name));
  };

  window.PM = { root, above, load, ready, text, count, learn, make, recall, remember, number: written, hoursSince, age };
})();
