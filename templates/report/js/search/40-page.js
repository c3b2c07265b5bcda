// The search page: what is asked stands behind `#` (q, kind, project), so that every answer has an address.
(() => {
  "use strict";

  // The first results come before those below them are read.
  const FIRST = 8;
  const AT_ONCE = 20;
  const WIDTH = 180;
  const WAIT_MS = 60;
  const PROJECTS_SHOWN = 6;
  const KINDS = { project: "▣", task: "☑", wiki: "▤", shared: "◈" };
  const SAMPLE = 2000;
  const { LONGEST, clean, parse, find, index, blocks, text, firstPlace, snippet, marked } = PM.search;
  const words = (name, values) => PM.text(`script_search.${name}`, values);
  const part = (id) => document.getElementById(id);

  let round = 0;
  let waiting = null;
  let shown = 0;
  let hits = [];
  let terms = [];

  const asked = () => {
    const given = new URLSearchParams(location.hash.slice(1));
    return { q: given.get("q") ?? "", kind: given.get("kind") ?? "", project: given.get("project") ?? "" };
  };

  const address = (changes) => {
    const given = Object.entries({ ...asked(), ...changes }).filter(([, value]) => value);
    return given.length ? `#${new URLSearchParams(given)}` : location.pathname;
  };

  // Read by a voice in the language that most of its letters are of.
  const language = (written) => {
    const sample = written.slice(0, SAMPLE);
    const cyrillic = (sample.match(/[\u0400-\u04ff]/g) ?? []).length;
    const latin = (sample.match(/[a-z]/gi) ?? []).length;
    if (!cyrillic && !latin) return null;
    return cyrillic > latin ? "ru" : "en";
  };

  const withMarks = (written) => marked(written, terms)
    .map(([piece, isMarked]) => (isMarked ? PM.make("mark", {}, piece) : piece));

  const titleOf = ({ kind, fields }) => (kind === "project" ? fields[0] : fields[1] || fields[0]);

  const kindOf = ({ kind, note }) => {
    const what = words(`kind_${kind}`);
    return PM.make("span", { class: "kind" },
      PM.make("span", { "aria-hidden": "true" }, `${KINDS[kind]} `), kind === "task" ? `${what}, ${words(`status_${note}`)}` : what);
  };

  const where = (written, { id, changedAt }) => {
    const path = written.kind === "task" ? written.fields[0] : written.note;
    return PM.make("span", { class: "where" }, kindOf(written),
      written.kind === "project" ? null : PM.make("span", {}, id.split("/").slice(1).join("/")),
      path && path !== titleOf(written) ? PM.make("code", {}, ...withMarks(path)) : null,
      changedAt ? PM.make("span", { title: words("changed") }, PM.age(changedAt)) : null);
  };

  // Its title stands above: a text begins below the heading that says it again.
  const bodyOf = ({ kind, fields }, title) => {
    if (kind === "project") return "";
    const body = fields.at(-1);
    const rest = body.replace(/^\s*#[^\n]*\n+/, "");
    const isEnough = rest.trim() && (firstPlace(rest, terms) >= 0 || firstPlace(title, terms) >= 0);
    return snippet(isEnough ? rest : body, terms, WIDTH);
  };

  const row = (written, project) => {
    const title = titleOf(written);
    const name = PM.make("a", { class: "name", href: PM.root + written.href, lang: language(title) }, ...withMarks(title));
    const body = bodyOf(written, title);
    return PM.make("li", { class: `row hit${written.kind === "task" ? ` s-${written.note}` : ""}` },
      PM.make("div", { class: "what" }, name, where(written, project)),
      body ? PM.make("p", { class: "how", lang: language(body) }, ...withMarks(body)) : null);
  };

  const say = (...told) => part("told").replaceChildren(...told);

  const rebuilt = () => {
    const again = PM.make("button", { type: "button" }, words("reload"));
    again.addEventListener("click", () => location.reload());
    say(words("rebuilt"), " ", again);
  };

  const more = async (count = AT_ONCE) => {
    const mine = round;
    const { projects, project } = await index();
    const next = hits.slice(shown, shown + count);
    part("more").disabled = true;
    const rows = await Promise.all(next.map(async (number) => row(await text(number), projects[project[number]])));
    if (mine !== round) return;
    part("hits").append(...rows);
    shown += rows.length;
    part("more").disabled = false;
    part("more").hidden = shown >= hits.length;
  };

  // How many of the numbers are of each value, those with most first.
  const counted = (numbers, valueOf) => {
    const counts = new Map();
    for (const number of numbers) counts.set(valueOf(number), (counts.get(valueOf(number)) ?? 0) + 1);
    return [...counts].sort(([, one], [, other]) => other - one);
  };

  const chip = (name, value, label, count, chosen) => {
    const made = PM.make("button", { type: "button", class: "chip", "aria-pressed": String(chosen) },
      label, count === null ? null : PM.make("span", { class: "extent" }, ` ${PM.number(count)}`));
    made.addEventListener("click", () => {
      history.replaceState(null, "", address({ [name]: chosen ? "" : value }));
      ask();
    });
    return made;
  };

  const chips = (id, name, rows, labelOf) => {
    const chosen = asked()[name];
    const every = chosen && !rows.some(([value]) => value === chosen) ? [[chosen, 0], ...rows] : rows;
    part(id).replaceChildren(...every.map(([value, count]) => chip(name, value, labelOf(value), count, value === chosen)));
    part(id).parentElement.hidden = every.length < 2 && !chosen;
  };

  const shortName = (id) => id.split("/").slice(1).join("/");

  // Every choice is counted with the other one as it is.
  const narrow = (found, { projects, project, kind }, { kind: wanted, project: owner }) => {
    const isOwn = (number) => !owner || projects[project[number]].id === owner;
    const isKind = (number) => !wanted || kind[number] === wanted;
    const owners = counted(found.filter(isKind), (number) => projects[project[number]].id);
    const some = owners.filter(([id], place) => place < PROJECTS_SHOWN || id === owner);
    chips("kinds", "kind", counted(found.filter(isOwn), (number) => kind[number]), (one) => words(`kind_${one}`));
    chips("owners", "project", some, shortName);
    return found.filter((number) => isOwn(number) && isKind(number));
  };

  const summary = (capped) => {
    if (!hits.length) return words(capped ? "capped_none" : "none");
    return PM.count("script_search.found", hits.length) + (capped ? ` ${words("capped")}` : "");
  };

  const empty = (query) => {
    hits = [];
    part("hits").replaceChildren();
    part("more").hidden = true;
    part("facets").hidden = true;
    part("tips").hidden = clean(query).trim() !== "";
    say([...query].length > LONGEST ? words("too_long", { most: LONGEST }) : "");
  };

  const show = async (mine) => {
    const found = await find(terms);
    if (mine !== round) return;
    hits = narrow(found.numbers, await index(), asked());
    shown = 0;
    part("hits").replaceChildren();
    part("facets").hidden = !found.numbers.length;
    part("tips").hidden = hits.length > 0;
    say(summary(found.capped));
    await more(FIRST);
    if (mine === round) await more(AT_ONCE - FIRST);
  };

  const ask = () => {
    round += 1;
    const { q } = asked();
    terms = parse(q);
    if (!terms.length) return empty(q);
    const mine = round;
    const patience = setTimeout(() => { if (mine === round) say(words("looking")); }, 250);
    return show(mine).catch((error) => { if (mine === round) rebuilt(); if (!/^a\//.test(error.message)) throw error; })
      .finally(() => clearTimeout(patience));
  };

  const typed = () => {
    history.replaceState(null, "", address({ q: part("search").value }));
    clearTimeout(waiting);
    waiting = setTimeout(ask, WAIT_MS);
  };

  const links = () => [...part("hits").querySelectorAll("a.name")];

  // From the field into the list with the arrow down, and back with the arrow up.
  const step = (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const every = links();
    const at = every.indexOf(document.activeElement);
    if (!by || !every.length || (at < 0 && (by < 0 || event.target !== part("search")))) return;
    event.preventDefault();
    (at + by < 0 ? part("search") : every[Math.min(at + by, every.length - 1)]).focus();
  };

  const escape = (event) => {
    if (event.key !== "Escape") return;
    const field = part("search");
    if (event.target !== field) field.focus();
    else if (!field.value) return;
    else { field.value = ""; typed(); }
    event.stopPropagation();
    event.preventDefault();
  };

  const submit = async (event) => {
    event.preventDefault();
    clearTimeout(waiting);
    await ask();
    links()[0]?.focus();
  };

  const wire = () => {
    const field = part("search");
    field.value = asked().q;
    field.addEventListener("input", typed);
    part("query").addEventListener("submit", submit);
    part("query").parentElement.addEventListener("keydown", (event) => { step(event); escape(event); });
    part("more").addEventListener("click", () => more().catch(rebuilt));
    addEventListener("hashchange", () => { field.value = asked().q; ask(); });
    if (!location.hash) field.focus();
  };

  PM.ready(async () => {
    wire();
    await ask();
    blocks().catch(rebuilt);
  });
})();
