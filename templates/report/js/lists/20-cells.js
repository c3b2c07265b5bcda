// What the cells of a list show.
(() => {
  "use strict";

  const page = document.documentElement;
  const day = new Intl.DateTimeFormat(page.lang === "en" ? "en-GB" : page.lang, { dateStyle: "medium", timeZone: "UTC" });

  // The language of a repository's text, by the share of its letters.
  const lang = (text) => {
    const russian = text.match(/[\u0400-\u04ff]/g)?.length ?? 0;
    const latin = text.match(/[A-Za-z]/g)?.length ?? 0;
    if (!russian && !latin) return page.lang;
    return russian > latin ? "ru" : "en";
  };

  const said = (name, text, attributes = {}) => PM.make(name, { ...attributes, lang: lang(text) }, text);
  const link = (href, ...children) => PM.make("a", { href: PM.root + href }, ...children);
  const tag = (text, kind = null) => PM.make("span", { class: kind === null ? "tag" : `tag ${kind}` }, text);

  const quiet = (why) => PM.make("span", { class: "quiet", title: why },
    PM.make("span", { "aria-hidden": "true" }, PM.text("unknown.sign")), PM.make("span", { class: "unseen" }, why));

  // A day and its age; seconds since 1970, null where it is not known.
  const date = (seconds, why) => {
    if (seconds === null) return quiet(why);
    const iso = new Date(seconds * 1000).toISOString();
    const time = PM.make("time", { datetime: iso }, day.format(seconds * 1000));
    return PM.make("span", { class: "date" }, time, " ", PM.make("span", { class: "age" }, PM.age(iso)));
  };
  const iso = (seconds) => (seconds === null ? "" : new Date(seconds * 1000).toISOString().replace(".000", ""));

  // A period in words.
  const period = (value) => {
    if (value === "unknown") return PM.text("script_lists.age_unknown");
    const [first, last] = value.split("..").map((one) => (one ? day.format(Date.parse(one)) : "…"));
    return `${first} – ${last}`;
  };

  // What to call each project: owner/name, where that means one only.
  const names = (projects) => {
    const short = (project) => project.split("/").slice(1).join("/");
    const times = new Map();
    for (const project of new Set(projects)) times.set(short(project), (times.get(short(project)) ?? 0) + 1);
    return (project) => (times.get(short(project)) > 1 ? project : short(project));
  };

  const STATUSES = ["active", "blocked", "paused", "todo", "unknown", "done", "cancelled"];
  Object.assign(PM.lists, { said, link, tag, quiet, date, period, iso, names, STATUSES, DAY: 86400 });
})();
