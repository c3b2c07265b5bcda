// The reader's choice of light, dark or what the system says.
(() => {
  "use strict";

  const page = document.documentElement;
  const THEMES = ["auto", "light", "dark"];

  const show = (name) => {
    if (name === "auto") delete page.dataset.theme;
    else page.dataset.theme = name;
  };

  let theme = PM.recall("theme");
  if (!THEMES.includes(theme)) theme = "auto";
  show(theme);

  PM.ready(() => {
    const button = document.getElementById("theme");
    const label = () => { button.textContent = button.dataset[theme]; };
    button.addEventListener("click", () => {
      theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
      PM.remember("theme", theme);
      show(theme);
      label();
    });
    label();
    button.hidden = false;
  });
})();
