"use strict";
// On the first page, health and about: what only the reader's clock, or the files above the report, can tell.
(() => {
  const showVersion = () => {
    const place = document.getElementById("version");
    const found = /\/versions\/([0-9]{6,})\/report\//.exec(location.pathname);
    if (!place || !found) return;
    place.querySelector("dd").textContent = PM.number(Number(found[1]));
    place.hidden = false;
  };

  PM.ready(showVersion);
})();
