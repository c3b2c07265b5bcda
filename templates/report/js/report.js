"use strict";
// Two things alone: the reader's theme, and how old the look at the sources is by the reader's clock.
(() => {
  const page = document.documentElement;
  const root = document.currentScript.dataset.root;
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
    if (/\/versions\/[0-9]{6,}\/report\/$/.test(folder)) return root + "../../../freshness.js";
    if (/\/(current|stage)\/report\/$/.test(folder)) return root + "../../freshness.js";
    return null;
  };

  const filled = (words, values) => words.replace(/\{([a-z]+)\}/g, (_, name) => values[name]);

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
    if (path === null) return;
    const script = document.createElement("script");
    const ours = { createScriptURL: (url) => (/^(\.\.\/){2,9}freshness\.js$/.test(url) ? url : "") };
    script.src = window.trustedTypes ? trustedTypes.createPolicy("app", ours).createScriptURL(path) : path;
    script.addEventListener("load", showFreshness);
    document.head.append(script);
  };

  addEventListener("DOMContentLoaded", () => {
    wireTheme();
    loadFreshness();
  });
})();
