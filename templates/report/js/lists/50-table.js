// The rows that were found, a hundred at a time, and what can be done with all of them.
(() => {
  "use strict";

  const WINDOW = 100;
  // As many rows as a screen shows come at once, so that a letter typed is seen at once; the rest of the window after it.
  const SCREEN = 25;
  const REST_MS = 80;
  const { button } = PM.lists;
  const say = (name, values) => PM.text(`script_lists.${name}`, values);
  const heading = (column) => column.heading?.() ?? say(`column_${column.name}`);

  const sorted = (state, name) => ({ ...state, sort: state.sort === name && state.down ? "" : name, down: state.sort === name && !state.down });

  const head = (column, change) => {
    const one = button(heading(column), () => change((state) => sorted(state, column.name)));
    return PM.make("th", { scope: "col", class: [`c-${column.name}`, column.isNumber ? "n" : "", column.isWide ? "wide" : ""].join(" ").trim() }, one);
  };

  const table = (list, change) => {
    const heads = list.columns.map((column) => head(column, change));
    const element = PM.make("table", {}, PM.make("thead", {}, PM.make("tr", {}, ...heads)));
    const more = button("", () => grow(WINDOW), { "data-more": "", class: "more-rows" });
    const area = PM.make("div", { class: "found" }, element, more);
    let [found, shown, facet, body, sizes, rest] = [[], 0, undefined, null, new Map(), 0];

    const open = (value) => {
      body = PM.make("tbody");
      if (facet) {
        body.append(PM.make("tr", { class: "gather" }, PM.make("td", { colspan: heads.length },
          facet.label(value), " ", PM.make("span", { class: "extent" }, PM.number(sizes.get(value))))));
      }
      element.append(body);
    };

    const grow = (by) => {
      clearTimeout(rest);
      const until = Math.min(found.length, shown + by);
      for (; shown < until; shown += 1) {
        const value = facet && found[shown].values[facet.name];
        if (body === null || (facet && value !== found[shown - 1]?.values[facet.name])) open(value);
        body.append(PM.make("tr", {}, ...list.columns.map((column) => column.cell(found[shown]))));
      }
      more.hidden = shown >= found.length;
      more.textContent = say("more_rows", { shown, all: found.length });
    };

    const show = (state, chosen) => {
      element.querySelectorAll("tbody").forEach((part) => part.remove());
      facet = list.facets.find(({ name }) => name === state.group);
      [found, shown, body, sizes] = [chosen.found, 0, null, new Map()];
      if (facet) for (const row of found) sizes.set(row.values[facet.name], (sizes.get(row.values[facet.name]) ?? 0) + 1);
      list.columns.forEach(({ name }, at) => {
        if (state.sort === name) heads[at].setAttribute("aria-sort", state.down ? "descending" : "ascending");
        else heads[at].removeAttribute("aria-sort");
      });
      element.hidden = found.length === 0;
      grow(SCREEN);
      rest = setTimeout(() => grow(WINDOW - SCREEN), REST_MS);
    };
    return { element: area, show };
  };

  const select = (label, options, change) => {
    const field = PM.make("select", {}, ...options.map(([value, words]) => PM.make("option", { value }, words)));
    field.addEventListener("change", () => change(field.value));
    return { field, element: PM.make("label", {}, `${label} `, field) };
  };

  const copy = async (said) => {
    try {
      await navigator.clipboard.writeText(location.href);
      said.textContent = say("copied");
    } catch {
      said.textContent = say("not_copied");
    }
  };

  const save = (list, rows) => {
    // Spreadsheets take a file for UTF-8 when it begins with a mark.
    const file = new Blob(["\ufeff", PM.lists.csv(list.csv, rows)], { type: "text/csv;charset=utf-8" });
    const link = PM.make("a", { href: URL.createObjectURL(file), download: `${list.name}.csv` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };

  const tools = (list, change, typed) => {
    const words = PM.make("input", { type: "search", "data-filter": "", autocomplete: "off", spellcheck: "false" });
    words.addEventListener("input", () => typed(words.value));
    const group = select(say("group"), [["", say("group_none")], ...list.facets.map(({ name }) => [name, say(`facet_${name}`)])],
      (value) => change((state) => ({ ...state, group: value })));
    const sorts = list.columns.flatMap((column) => [[column.name, `${heading(column)} ↑`], [`-${column.name}`, `${heading(column)} ↓`]]);
    const sort = select(say("sort"), [["", say("sort_none")], ...sorts],
      (value) => change((state) => ({ ...state, sort: value.replace("-", ""), down: value.startsWith("-") })));
    let found = [];
    const said = PM.make("span", { role: "status" });
    const acts = PM.make("span", { class: "acts" },
      button(say("copy"), () => copy(said)), button("CSV", () => save(list, found), { "aria-label": say("csv") }), said);
    const element = PM.make("div", { class: "tools" }, PM.make("label", { class: "words" }, `${say("words")} `, words), group.element, sort.element, acts);
    const show = (state, chosen) => {
      found = chosen.found;
      if (words.value !== state.q) words.value = state.q;
      group.field.value = state.group;
      sort.field.value = (state.down ? "-" : "") + state.sort;
      said.textContent = "";
    };
    return { element, show };
  };

  Object.assign(PM.lists, { table, tools });
})();
