// On the first page, health, about and pages of repositories that are behind: what only the reader's clock, or the
// files above the report, can tell.  They are read when they are there; without them the page stays as it is.
(() => {
  "use strict";

  const WEEK_H = 7 * 24;
  const NEWS_SHOWN = 10;

  const showVersion = () => {
    const place = document.getElementById("version");
    const found = /\/versions\/([0-9]{6,})\/report\//.exec(location.pathname);
    if (!place || !found) return;
    place.querySelector("dd").textContent = String(Number(found[1]));
    place.hidden = false;
  };

  const markRecent = () => {
    for (const row of document.querySelectorAll(".feed li")) {
      row.classList.toggle("recent", PM.hoursSince(row.querySelector("time").dateTime) < WEEK_H);
    }
  };

  // News

  const word = (piece, value) => value === null ? null
    : PM.text(`${["came", "left", "state"].includes(piece.kind) ? "state" : "status"}.${value}`);
  const turn = (piece) => [word(piece, piece.before), word(piece, piece.after)].filter((one) => one !== null).join(" → ");

  const said = (piece) => {
    const name = piece.what ?? piece.project;
    const kind = PM.text(`script_news.${piece.kind}`);
    const values = turn(piece);
    return PM.make("li", {},
      piece.href === null ? PM.make("b", {}, name) : PM.make("a", { href: PM.root + piece.href }, name),
      PM.make("span", { class: "where" }, values ? `${kind}: ${values}` : kind, piece.what === null ? "" : ` · ${piece.project}`));
  };

  const rest = (pieces) => PM.make("details", {},
    PM.make("summary", {}, PM.count("script_news.more", pieces.length)),
    PM.make("ol", { class: "feed" }, ...pieces.map(said)));

  const showNews = () => {
    const news = window.PROJECTS_META_NEWS;
    const place = document.getElementById("news");
    const version = /\/versions\/([0-9]{6,})\/report\//.exec(location.pathname);
    if (!place || !version || news.version !== Number(version[1])) return;
    const words = news.before === null ? PM.text("script_news.first")
      : PM.text(news.total ? "script_news.compared" : "script_news.nothing", { before: String(news.before), version: String(news.version), total: news.total });
    const lead = PM.make("p", { class: "lead" }, words);
    place.querySelector("h2").after(lead);
    if (!news.total) return;
    lead.after(PM.make("ol", { class: "feed" }, ...news.pieces.slice(0, NEWS_SHOWN).map(said)));
    if (news.pieces.length > NEWS_SHOWN) lead.nextElementSibling.after(rest(news.pieces.slice(NEWS_SHOWN)));
  };

  // Looks

  const looked = (at, words = "good") => at === null ? PM.text("script_looks.never")
    : PM.text(`script_looks.${words}`, { day: at.slice(0, 10), ago: PM.age(at) });

  const showLooks = () => {
    for (const place of document.querySelectorAll("[data-looked]")) {
      const at = window.PROJECTS_META_LOOKS[place.dataset.looked];
      if (at !== undefined) place.textContent = looked(at);
    }
  };

  const rested = (evidence) => Object.entries(evidence).filter(([, count]) => count)
    .sort(([, one], [, other]) => other - one)
    .map(([kind, count]) => `${PM.text(`script_looks.${kind}`)}: ${PM.number(count)}`).join(" · ");

  const fill = (row, source) => {
    const [state, since, evidence] = row.querySelectorAll("td.scripted");
    state.replaceChildren(PM.make("span", { class: `tag state-${source.state}` }, PM.text(`state.${source.state}`)),
      source.reason === null ? "" : ` ${source.reason}`);
    since.textContent = looked(source.synced_at, "short");
    evidence.textContent = rested(source.evidence);
  };

  const showSources = (reading) => {
    const known = new Map(reading.sources.map((source) => [source.source, source]));
    for (const row of document.querySelectorAll("#of-sources tbody tr")) {
      const source = known.get(row.querySelector("th").textContent);
      if (source) fill(row, source);
    }
  };

  PM.ready(() => {
    showVersion();
    markRecent();
    if (document.getElementById("news")) PM.above("news.js").then(showNews, () => {});
    if (document.querySelector("[data-looked]")) PM.above("looks.js").then(showLooks, () => {});
    if (document.getElementById("of-sources")) PM.freshness.then(showSources, () => {});
  });
})();
