// Dates stand in the pages, ages do not: they would change every day.
(() => {
  "use strict";

  const tell = (time) => time.after(" ", PM.make("span", { class: "age" }, PM.age(time.dateTime)));

  // Beside every date of a part of the page.
  PM.ages = (part) => part.querySelectorAll("time[datetime]").forEach(tell);
  PM.ready(() => PM.ages(document.getElementById("main")));
})();
