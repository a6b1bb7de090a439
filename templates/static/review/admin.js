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
  // One menu of filters is open at a time; a click beside it or Escape closes it.
  const menus = () => document.querySelectorAll("#changelist-filter details.filter[open]");
  document.addEventListener("click", (event) => {
    for (const menu of menus()) if (!menu.contains(event.target)) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of menus()) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
})();
