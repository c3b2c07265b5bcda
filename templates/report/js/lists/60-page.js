// Puts a list in the place of the static rows: data-list names it, data-rows the files of its rows.
(() => {
  "use strict";

  const REMEMBER_MS = 300;
  const { choose, ordered, read, write } = PM.lists;
  const packed = [];
  PM.rows = (part) => { packed.push(...part); };

  const summary = (list, all) => {
    const found = PM.make("span", { role: "status" });
    const unknown = PM.make("span");
    const show = (state, chosen, rows) => {
      found.textContent = PM.text("script_lists.found", { found: list.counted(chosen.found.length), all });
      const lost = list.unknown[state.view] ? rows.filter(list.unknown[state.view]).length : 0;
      unknown.textContent = lost ? ` ${PM.count("script_lists_counts.unknown", lost)}` : "";
    };
    return { element: PM.make("p", { class: "lead" }, found, unknown), show };
  };

  const start = (place, list) => {
    const every = list.rows(packed);
    let state = read(list, location.hash.slice(1)) ?? read(list, "");
    let [rows, order, later] = [every, null, 0];
    const [home] = location.href.split("#");
    const address = () => { const told = write(list, state); return told ? `${home}#${told}` : home; };

    const show = () => {
      const wanted = [state.sort, state.down, state.group].join();
      if (wanted !== order) [rows, order] = [ordered(list, every, state), wanted];
      const chosen = choose(list, rows, state);
      for (const part of parts) part.show(state, chosen, every);
    };
    const change = (next) => {
      state = next(state);
      if (address() !== location.href) history.pushState(null, "", address());
      show();
    };
    const typed = (words) => {
      state = { ...state, q: words };
      clearTimeout(later);
      later = setTimeout(() => history.replaceState(null, "", address()), REMEMBER_MS);
      show();
    };

    const L = PM.lists;
    const [views, tools, chips, facets, told, none, table] = [L.views(list, change), L.tools(list, change, typed), L.chips(list, change),
      L.facets(list, change), summary(list, every.length), L.nothing(list, change), L.table(list, change)];
    const parts = [views, tools, chips, facets, told, none, table];
    place.append(views.element, tools.element, chips.element, told.element,
      PM.make("div", { class: "sides" }, facets.element, PM.make("div", { class: "side" }, none.element, table.element)));
    show();
    addEventListener("hashchange", () => {
      const given = read(list, location.hash.slice(1));
      if (given) { state = given; show(); }
    });
  };

  const begin = async () => {
    const place = document.querySelector("[data-list]");
    if (place === null) return;
    const list = { name: place.dataset.list, ...PM.lists.every[place.dataset.list] };
    try {
      await Promise.all(place.dataset.rows.split(" ").filter(Boolean).map(PM.load));
    } catch {
      place.append(PM.make("p", { class: "lead", role: "alert" }, PM.text("script_lists.rebuilt")));
      place.classList.add("failed");
      return;
    }
    start(place, list);
  };

  PM.ready(begin);
})();
