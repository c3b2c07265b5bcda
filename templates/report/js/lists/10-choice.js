// Which rows a reader chose, in which order, and how many each further choice would leave.  No page is touched here.
//
// A list has `facets` (each row has one value of each), `periods` (each row has a time of each, in seconds since 1970, or
// null), `views` (each holds for some rows), `columns`, and `home`, the view of a bare address.  A state is {view, q,
// chosen: {facet or period: Set of values}, sort: column or "", down, group}; the value of a period is "2026-11-14..",
// "..2026-11-20" or both, whole UTC days, or "unknown".
(() => {
  "use strict";

  const bump = (counts, value) => counts.set(value, (counts.get(value) ?? 0) + 1);

  // Words and "phrases", folded.
  const terms = (q) => [...q.matchAll(/"([^"]*)"|([^\s"]+)/g)]
    .map(([, phrase, word]) => PM.fold((phrase ?? word).trim())).filter(Boolean);

  // The one filter that a row does not pass: "" for none, null for more than one.
  const missed = (row, words, holds, asked) => {
    let name = words.every((word) => row.text.includes(word)) ? "" : "q";
    if (!holds(row)) {
      if (name) return null;
      name = "view";
    }
    for (const [filter, passes] of asked) {
      if (passes(row)) continue;
      if (name) return null;
      name = filter;
    }
    return name;
  };

  const PERIOD = /^(?:unknown|(\d{4}-\d\d-\d\d)?\.\.(\d{4}-\d\d-\d\d)?)$/;
  const DAY = 86400;
  const seconds = (day, otherwise) => (day ? Date.parse(day) / 1000 : otherwise);

  const within = (value) => {
    const [, first, last] = PERIOD.exec(value);
    if (value === "unknown") return (time) => time === null;
    const [from, until] = [seconds(first, -Infinity), seconds(last, Infinity) + DAY];
    return (time) => time !== null && time >= from && time < until;
  };

  // [name, whether a row passes] of each filter that is on.
  const filters = (list, { chosen }) => [
    ...list.facets.filter(({ name }) => chosen[name]?.size).map(({ name }) => [name, (row) => chosen[name].has(row.values[name])]),
    ...list.periods.filter(({ name }) => chosen[name]?.size).map(({ name, of }) => {
      const every = [...chosen[name]].map(within);
      return [name, (row) => every.some((holds) => holds(of(row)))];
    }),
  ];

  // `found` keeps the order of `rows`; `counts` of a facet and `views` tell what would be found if another value were
  // chosen, `without` what would be found without a filter.
  const choose = (list, rows, state) => {
    const words = terms(state.q);
    const { holds } = list.views.find((view) => view.name === state.view);
    const asked = filters(list, state);
    const chosen = { found: [], counts: {}, views: new Map(), without: new Map() };
    for (const facet of list.facets) chosen.counts[facet.name] = new Map();
    for (const row of rows) {
      const name = missed(row, words, holds, asked);
      if (name === null) continue;
      if (name === "") chosen.found.push(row);
      else bump(chosen.without, name);
      for (const facet of list.facets) {
        if (name === "" || name === facet.name) bump(chosen.counts[facet.name], row.values[facet.name]);
      }
      if (name !== "" && name !== "view") continue;
      for (const view of list.views) if (view.holds(row)) bump(chosen.views, view.name);
    }
    return chosen;
  };

  // The rows by a key, each asked for once; what is not known stands last, whichever way the others go.
  const sorted = (rows, key, down) => {
    const keyed = rows.map((row) => [key(row) ?? null, row]);
    const turn = down ? -1 : 1;
    keyed.sort(([one], [other]) => {
      if (one === other) return 0;
      if (one === null || other === null) return one === null ? 1 : -1;
      return one < other ? -turn : turn;
    });
    return keyed.map(([, row]) => row);
  };

  // The rows by group, then by column, then as they come.
  const ordered = (list, rows, { sort, down, group }) => {
    const column = list.columns.find(({ name }) => name === sort);
    const facet = list.facets.find(({ name }) => name === group);
    const inside = column ? sorted(rows, column.key, down) : rows;
    return facet ? sorted(inside, (row) => facet.place(row.values[facet.name]), false) : inside;
  };

  const bare = (list, view) => ({ view, q: "", chosen: {}, sort: "", down: false, group: list.group ?? "" });

  // The state that an address tells; null for an anchor that is none of ours.
  const read = (list, hash) => {
    if (hash === "") return bare(list, list.home);
    const state = bare(list, "all");
    if (!hash.includes("=")) {
      const facet = list.facets.find(({ values }) => values?.includes(hash));
      if (facet) state.chosen[facet.name] = new Set([hash]);
      return facet ? state : null;
    }
    const given = new URLSearchParams(hash);
    const known = (name, every, otherwise) => (every.some((one) => one.name === given.get(name)) ? given.get(name) : otherwise);
    const sort = given.get("sort") ?? "";
    state.view = known("view", list.views, "all");
    state.q = given.get("q") ?? "";
    state.down = sort.startsWith("-");
    state.sort = list.columns.some(({ name }) => name === sort.replace("-", "")) ? sort.replace("-", "") : "";
    state.group = given.get("group") === "none" ? "" : known("group", list.facets, state.group);
    for (const { name, values } of list.facets) {
      const asked = given.getAll(name).filter((value) => values?.includes(value) ?? true);
      if (asked.length) state.chosen[name] = new Set(asked);
    }
    for (const { name } of list.periods) {
      const asked = given.getAll(name).filter((value) => PERIOD.test(value));
      if (asked.length) state.chosen[name] = new Set(asked);
    }
    return state;
  };

  // The address that tells a state.
  const write = (list, state) => {
    const told = new URLSearchParams();
    if (state.q) told.set("q", state.q);
    for (const { name } of [...list.facets, ...list.periods]) for (const value of state.chosen[name] ?? []) told.append(name, value);
    if (state.sort) told.set("sort", (state.down ? "-" : "") + state.sort);
    if (state.group !== (list.group ?? "")) told.set("group", state.group || "none");
    if (state.view !== "all" && (state.view !== list.home || told.size)) told.set("view", state.view);
    if (state.view === "all" && list.home !== "all" && !told.size) told.set("view", "all");
    return told.toString();
  };

  // RFC 4180; a field that a spreadsheet would take for a formula begins with an apostrophe.
  const field = (value) => {
    const text = String(value ?? "");
    const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const csv = (columns, rows) => [columns.map(([name]) => name), ...rows.map((row) => columns.map(([, of]) => of(row)))]
    .map((fields) => `${fields.map(field).join(",")}\r\n`).join("");

  PM.lists = { choose, ordered, read, write, csv, every: {} };
})();
