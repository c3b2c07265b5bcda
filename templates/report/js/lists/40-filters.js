// Views, facets and chips: what a reader can choose, each with how much it leaves.
(() => {
  "use strict";

  const SHOWN = 8;
  const MORE = 50;
  const say = (name, values) => PM.text(`script_lists.${name}`, values);
  const button = (label, act, attributes = {}) => {
    const made = PM.make("button", { type: "button", ...attributes }, label);
    made.addEventListener("click", act);
    return made;
  };

  const toggled = (state, facet, value) => {
    const values = new Set(state.chosen[facet]);
    if (!values.delete(value)) values.add(value);
    return { ...state, chosen: { ...state.chosen, [facet]: values } };
  };
  const dropped = (state, name) => {
    if (name === "q") return { ...state, q: "" };
    if (name === "view") return { ...state, view: "all" };
    return { ...state, chosen: { ...state.chosen, [name]: new Set() } };
  };
  const cleared = (state) => ({ ...state, q: "", chosen: {} });

  const views = (list, change) => {
    const made = list.views.map(({ name }) => {
      const number = PM.make("b");
      const one = button("", () => change((state) => ({ ...state, view: name })));
      one.append(say(`view_${name}`), " ", number);
      return { name, one, number };
    });
    const show = (state, chosen) => made.forEach(({ name, one, number }) => {
      const count = chosen.views.get(name) ?? 0;
      one.setAttribute("aria-pressed", state.view === name);
      one.disabled = count === 0 && state.view !== name;
      number.textContent = PM.number(count);
    });
    return { element: PM.make("div", { class: "views", role: "group", "aria-label": say("views") }, ...made.map(({ one }) => one)), show };
  };

  // The values that a facet shows: all of a few known ones; else those with most rows, and the chosen ones.
  const shownValues = (facet, counts, values, most) => {
    if (facet.values) return facet.values;
    const count = (value) => counts.get(value) ?? 0;
    const every = [...new Set([...counts.keys(), ...values])];
    every.sort((one, other) => values.has(other) - values.has(one) || count(other) - count(one) || (one < other ? -1 : 1));
    return every.slice(0, Math.max(most, values.size));
  };

  const option = (facet, value, change) => {
    const box = PM.make("input", { type: "checkbox" });
    const number = PM.make("span", { class: "n" });
    box.addEventListener("change", () => change((state) => toggled(state, facet.name, value)));
    return { box, number, label: PM.make("label", {}, box, PM.make("span", {}, facet.label(value)), number) };
  };

  const facetOf = (list, facet, change) => {
    const options = new Map();
    const place = PM.make("div", { class: "options" });
    let most = SHOWN;
    const more = button(say("more_values"), () => { most += MORE; change((state) => state); }, { class: "plain" });
    const each = (value) => {
      if (!options.has(value)) options.set(value, option(facet, value, change));
      return options.get(value);
    };
    const show = (state, chosen) => {
      const counts = chosen.counts[facet.name];
      const values = state.chosen[facet.name] ?? new Set();
      const shown = shownValues(facet, counts, values, most);
      for (const value of shown) {
        const { box, number } = each(value);
        const count = counts.get(value) ?? 0;
        box.checked = values.has(value);
        box.disabled = count === 0 && !box.checked;
        number.textContent = PM.number(count);
      }
      const labels = shown.map((value) => each(value).label);
      const held = document.activeElement;
      if (labels.length !== place.children.length || labels.some((label, at) => label !== place.children[at])) place.replaceChildren(...labels);
      if (held !== document.activeElement && place.contains(held)) held.focus();
      more.hidden = Boolean(facet.values) || counts.size <= shown.length;
    };
    const element = PM.make("fieldset", {}, PM.make("legend", {}, say(`facet_${facet.name}`)), place, more);
    return { element, show };
  };

  const facets = (list, change) => {
    const every = list.facets.map((facet) => facetOf(list, facet, change));
    const element = PM.make("details", { class: "facets" }, PM.make("summary", {}, say("filters")), ...every.map((facet) => facet.element));
    element.open = matchMedia("(min-width: 60rem)").matches;
    return { element, show: (state, chosen) => every.forEach((facet) => facet.show(state, chosen)) };
  };

  const named = (list, name) => {
    if (name === "q") return say("words");
    if (name === "view") return say("view");
    return say(list.periods.some((period) => period.name === name) ? `column_${name}` : `facet_${name}`);
  };

  // The filters that are on; each chip takes one away.
  const filtersOf = (list, state) => {
    const each = (name, label) => [...(state.chosen[name] ?? [])]
      .map((value) => ({ label: `${named(list, name)}: ${label(value)}`, without: (from) => toggled(from, name, value) }));
    return [
      ...(state.q ? [{ label: `${say("words")}: ${state.q}`, without: (from) => dropped(from, "q") }] : []),
      ...list.facets.flatMap((facet) => each(facet.name, facet.label)),
      ...list.periods.flatMap(({ name }) => each(name, PM.lists.period)),
    ];
  };

  const chips = (list, change) => {
    const element = PM.make("div", { class: "chips" });
    const chip = ({ label, without }) => button(`${label} ×`, () => change(without), { "aria-label": say("remove", { label }) });
    const show = (state) => {
      const on = filtersOf(list, state).map(chip);
      if (on.length) on.push(button(say("clear"), () => change(cleared), { class: "plain" }));
      element.replaceChildren(...on);
    };
    return { element, show };
  };

  // Nothing is found: which filter to drop, and what would then be there.
  const nothing = (list, change) => {
    const element = PM.make("div", { class: "empty" });
    const show = (state, chosen) => {
      element.hidden = chosen.found.length > 0;
      const helps = [...chosen.without].map(([name, number]) => PM.make("li", {},
        button(say("without", { name: named(list, name), found: list.counted(number) }), () => change((from) => dropped(from, name)))));
      const clear = PM.make("li", {}, button(say("clear"), () => change((from) => ({ ...cleared(from), view: "all" }))));
      element.replaceChildren(PM.make("p", {}, say("nothing")), PM.make("ul", { class: "plain" }, ...(helps.length ? helps : [clear])));
    };
    return { element, show };
  };

  Object.assign(PM.lists, { button, views, facets, chips, nothing });
})();
