"use strict";
// On every page: what other scripts may ask (PM), the reader's theme, and how old the look at the sources is.
(() => {
  const page = document.documentElement;
  const root = document.currentScript.dataset.root;
  const said = window.PM_WORDS;
  const plural = new Intl.PluralRules(page.lang);
  const digits = new Intl.NumberFormat(page.lang === "en" ? "en-GB" : page.lang);

  const written = (value) => (typeof value === "number" ? digits.format(value) : value);
  const filled = (words, values) => words.replace(/\{([a-z_]+)\}/g, (_, name) => written(values[name]));

  // A place of ours and no other: a script in a/, or what a build left above the report.
  const OURS = /^(\.\.\/){0,12}(a(\/[a-z0-9-]+){1,3}(\.[a-z0-9-]+)?|(\.\.\/){2,3}(freshness|news))\.js$/;
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

  const KEY = "projects-meta.theme";
  const THEMES = ["auto", "light", "dark"];

  // Storage may be forbidden for files: the choice then holds for this page alone.
  const stored = (use) => { try { return use(localStorage); } catch { return null; } };

  const showTheme = (name) => {
    if (name === "auto") delete page.dataset.theme;
    else page.dataset.theme = name;
  };

  let theme = stored((box) => box.getItem(KEY));
  if (!THEMES.includes(theme)) theme = "auto";
  showTheme(theme);

  const wireTheme = () => {
    const button = document.getElementById("theme");
    const label = () => { button.textContent = button.dataset[theme]; };
    button.addEventListener("click", () => {
      theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
      stored((box) => box.setItem(KEY, theme));
      showTheme(theme);
      label();
    });
    label();
    button.hidden = false;
  };

  // The build folder is above versions/NNNNNN/report/, or above current/report/ and stage/report/.
  const freshnessPath = () => {
    const folder = new URL(root || "./", location.href).pathname;
    if (/\/versions\/[0-9]{6,}\/report\/$/.test(folder)) return "../../../freshness.js";
    if (/\/(current|stage)\/report\/$/.test(folder)) return "../../freshness.js";
    return null;
  };

  const moment = (iso) => new Intl.DateTimeFormat(page.lang === "en" ? "en-GB" : page.lang, {
    dateStyle: "medium", timeStyle: "short", timeZone: "UTC",
  }).format(new Date(iso));

  const ago = (hours) => {
    const relative = new Intl.RelativeTimeFormat(page.lang);
    const [count, unit] = hours < 1 ? [hours * 60, "minute"] : hours < 48 ? [hours, "hour"] : [hours / 24, "day"];
    return relative.format(-Math.floor(count), unit);
  };

  const hoursSince = (iso) => (Date.now() - Date.parse(iso)) / 3600000;

  const facts = (iso) => ({ when: moment(iso), ago: ago(Math.max(0, hoursSince(iso))) });

  const sentence = (reading, words) => {
    const oldest = reading.sources.map((source) => source.synced_at).filter(Boolean).sort()[0];
    if (!oldest) return ["stale", words.never];
    const hours = hoursSince(oldest);
    if (hours < -0.1) return ["amber", filled(words.future, facts(oldest))];
    if (hours > reading.stale_after_hours) return ["stale", filled(words.stale, facts(oldest))];
    return ["fresh", filled(words.fresh, facts(oldest))];
  };

  const trouble = (source, words) => source.synced_at
    ? filled(words.trouble, { ...source, ...facts(source.synced_at) })
    : filled(words.trouble_never, source);

  const showFreshness = () => {
    const reading = window.PROJECTS_META_FRESHNESS;
    const line = document.getElementById("freshness");
    const [level, words] = sentence(reading, line.dataset);
    const troubled = reading.sources.filter((source) => source.state !== "ok");
    line.textContent = words;
    line.closest(".fresh").dataset.level = troubled.length && level === "fresh" ? "amber" : level;
    if (!troubled.length) return;
    const list = document.createElement("ul");
    for (const source of troubled) {
      list.append(document.createElement("li"));
      list.lastChild.textContent = trouble(source, line.dataset);
    }
    line.after(list);
  };

  const loadFreshness = () => {
    const path = freshnessPath();
    if (path !== null) load(path).then(showFreshness, () => {});
  };

  window.PM = { root, load, ready, text, count, number: written, age: (iso) => ago(Math.max(0, hoursSince(iso))) };

  ready(() => {
    wireTheme();
    loadFreshness();
  });
})();
