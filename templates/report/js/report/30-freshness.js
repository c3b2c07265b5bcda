// How old the last look at the sources is, as freshness.js in the build folder tells it.
(() => {
  "use strict";

  const language = document.documentElement.lang;

  const moment = (iso) => new Intl.DateTimeFormat(language === "en" ? "en-GB" : language, {
    dateStyle: "medium", timeStyle: "short", timeZone: "UTC",
  }).format(new Date(iso));

  const facts = (iso) => ({ when: moment(iso), ago: PM.age(iso) });

  const said = (key, values) => PM.text(`script_freshness.${key}`, values);

  const sentence = (reading) => {
    const oldest = reading.sources.map((source) => source.synced_at).filter(Boolean).sort()[0];
    if (!oldest) return ["stale", said("never")];
    const hours = PM.hoursSince(oldest);
    if (hours < -0.1) return ["amber", said("future", facts(oldest))];
    if (hours > reading.stale_after_hours) return ["stale", said("stale", facts(oldest))];
    return ["fresh", said("fresh", facts(oldest))];
  };

  const trouble = (source) => source.synced_at
    ? said("trouble", { ...source, ...facts(source.synced_at) })
    : said("trouble_never", source);

  const showFreshness = () => {
    const reading = window.PROJECTS_META_FRESHNESS;
    const line = document.getElementById("freshness");
    const [level, words] = sentence(reading);
    const troubled = reading.sources.filter((source) => source.state !== "ok");
    line.textContent = words;
    line.closest(".fresh").dataset.level = troubled.length && level === "fresh" ? "amber" : level;
    if (!troubled.length) return;
    line.after(PM.make("ul", {}, ...troubled.map((source) => PM.make("li", {}, trouble(source)))));
  };

  PM.freshness = PM.above("freshness.js").then(() => window.PROJECTS_META_FRESHNESS);
  PM.freshness.then(() => PM.ready(showFreshness), () => {});
})();
