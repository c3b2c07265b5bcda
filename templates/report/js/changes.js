"use strict";
// Lists of changes: show those of one kind; the choice stands in the address.
PM.ready(() => {
  const bar = document.getElementById("kinds");
  if (!bar) return;
  const commits = [...document.querySelectorAll("main .commit")];
  const days = [...document.querySelectorAll("main .day")];
  const chosen = () => /^#kind=(wiki|tasks)$/.exec(location.hash)?.[1] ?? "all";

  const show = (kind) => {
    let shown = 0;
    for (const commit of commits) {
      commit.hidden = kind !== "all" && !commit.dataset.kinds.split(" ").includes(kind);
      for (const change of commit.querySelectorAll(".changes > [class^='k-']")) {
        change.hidden = kind !== "all" && !change.classList.contains(`k-${kind}`);
        if (!change.hidden && !commit.hidden) shown += 1;
      }
    }
    for (const day of days) day.hidden = !day.querySelector(".commit:not([hidden])");
    for (const button of bar.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.kind === kind));
    bar.querySelector("[role=status]").textContent = kind === "all" ? "" : PM.count("script_changes.shown", shown);
  };

  bar.addEventListener("click", (event) => {
    const kind = event.target.dataset.kind;
    if (!kind) return;
    history.replaceState(null, "", kind === "all" ? location.pathname + location.search : `#kind=${kind}`);
    show(kind);
  });
  addEventListener("hashchange", () => show(chosen()));
  bar.hidden = false;
  show(chosen());
});
