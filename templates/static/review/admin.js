/* The admin's few moves of its own. Everything works without them. */
"use strict";
(() => {
  // A decision is sent once, however often the key is struck before the next page is there.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post" || event.defaultPrevented) return;
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
  // Coming back by the browser's own button, the page is as it was left: forms can be sent again.
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  });
  // On a small screen the filters take the room of the list: they open when asked for.
  if (window.matchMedia("(width <= 48rem)").matches) {
    for (const filter of document.querySelectorAll("#changelist-filter details.filter")) {
      if (!filter.querySelector(".selected:not(:first-child)")) filter.open = false;
    }
  }
})();
