// The keyboard.  A single key does nothing while a field has the focus, with a modifier, or when they are off.
(() => {
  "use strict";

  const PLACES = { o: "index.html", p: "projects.html", t: "tasks.html", c: "changes.html", h: "health.html", s: "search.html" };
  const WAIT_MS = 1500;
  const KEYS = [
    ["/", "search"], ["f", "filter"], ["j", "next"], ["k", "previous"], ["o", "open"],
    ["g o", "overview"], ["g p", "projects"], ["g t", "tasks"], ["g c", "changes"], ["g h", "health"], ["g s", "search_page"],
    ["t", "theme"], ["?", "help"], ["Esc", "escape"],
  ];
  let places = 0;

  const areOn = () => PM.recall("keys") !== "off";
  const isField = (place) => place.isContentEditable || /^(TEXTAREA|SELECT)$/.test(place.tagName)
    || (place.tagName === "INPUT" && !/^(checkbox|radio|button)$/.test(place.type));

  // The letter as on a Latin keyboard, whatever the layout is.
  const keyOf = (event) => {
    if (/^[ -~]$/.test(event.key)) return event.key;
    return /^Key[A-Z]$/.test(event.code) && !event.shiftKey ? event.code[3].toLowerCase() : "";
  };

  const focus = (place) => {
    if (place === null) return false;
    place.focus();
    place.select?.();
    return true;
  };

  const search = () => focus(document.getElementById("search")) || location.assign(`${PM.root}search.html`);
  const filter = () => focus(document.querySelector("[data-filter]"));

  const rows = () => [...document.querySelectorAll("main .row, main tbody tr")]
    .filter((row) => row.offsetParent !== null && (row.matches(".row") || row.querySelector("a")));
  const current = (every) => every.findIndex((row) => row.contains(document.activeElement));

  const stand = (row) => {
    const link = row.querySelector("a");
    if (link === null) row.tabIndex = -1;
    (link ?? row).focus();
    row.scrollIntoView({ block: "nearest" });
  };

  // At the last row that is shown, the next ones are asked for.
  const step = (by) => {
    let every = rows();
    const at = current(every) + by;
    if (at >= every.length) {
      document.querySelector("[data-more]:not([hidden])")?.click();
      every = rows();
    }
    const row = every[Math.max(0, at)];
    if (row) stand(row);
  };

  const open = () => {
    const every = rows();
    every[current(every)]?.querySelector("a")?.click();
  };

  const described = ([key, name]) => PM.make("div", {},
    PM.make("dt", {}, ...key.split(" ").flatMap((one) => [PM.make("kbd", {}, one), " "])),
    PM.make("dd", {}, PM.text(`script_keys.${name}`)));

  const choice = () => {
    const box = PM.make("input", { type: "checkbox" });
    box.checked = areOn();
    box.addEventListener("change", () => PM.remember("keys", box.checked ? "on" : "off"));
    return PM.make("label", {}, box, " ", PM.text("script_keys.choice"));
  };

  const help = () => {
    const close = PM.make("button", { type: "button" }, PM.text("script_keys.close"));
    const dialog = PM.make("dialog", { class: "keys", "aria-labelledby": "keys-title" },
      PM.make("h2", { id: "keys-title" }, PM.text("script_keys.title")),
      PM.make("dl", {}, ...KEYS.map(described)), choice(), close);
    close.addEventListener("click", () => dialog.close());
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  };

  const theme = () => document.getElementById("theme").click();
  const go = () => { places = Date.now() + WAIT_MS; };
  const ACTS = { "/": search, f: filter, j: () => step(1), k: () => step(-1), o: open, g: go, t: theme, "?": help };

  const act = (key) => {
    if (Date.now() < places && key in PLACES) return () => location.assign(PM.root + PLACES[key]);
    return ACTS[key];
  };

  const leave = () => { if (isField(document.activeElement)) document.activeElement.blur(); };

  const pressed = (event) => {
    if (event.key === "Escape") leave();
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.defaultPrevented) return;
    if (isField(event.target) || document.querySelector("dialog[open]") || !areOn()) return;
    const chosen = act(keyOf(event));
    places = 0;
    if (!chosen) return;
    event.preventDefault();
    chosen();
  };

  const button = () => {
    const made = PM.make("button", { type: "button", id: "help", "aria-label": PM.text("script_keys.title") });
    made.addEventListener("click", help);
    document.getElementById("theme").after(made);
  };

  addEventListener("keydown", pressed);
  PM.ready(button);
})();
