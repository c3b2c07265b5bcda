// The search box in the header: it leads to the search page, with what was typed behind `#`.
(() => {
  const page = document.documentElement;
  page.classList.add("with-script");
  PM.ready(() => {
    const form = document.getElementById("find");
    if (!form) return;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const words = document.getElementById("search").value.trim();
      location.href = form.dataset.to + (words ? "#q=" + encodeURIComponent(words) : "");
    });
  });
})();
