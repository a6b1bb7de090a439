/* The queue's filters apply as they are chosen. The address says what is shown, so that a reload, a kept view and the way back
   from another page find it again; the button stays for those without JavaScript. */
"use strict";
(() => {
  const TYPING_MS = 400;
  const form = document.querySelector("form.filters[data-live]");
  if (!form) return;

  const query = () => {
    const chosen = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (value.trim()) chosen.set(name, value.trim());
    return chosen.toString();
  };

  /* What stands around the list and speaks of the view. */
  const tellAround = (words) => {
    for (const field of document.querySelectorAll(".views input[name=back]")) field.value = "/?" + words;
    for (const link of document.querySelectorAll(".views li a")) {
      if (new URL(link.href).searchParams.toString() === words) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    form.querySelector(".clear").hidden = !words;
  };

  let shown = query();
  let busy = false;
  const apply = () => {
    const words = query();
    if (busy || words === shown || !form.reportValidity()) return;
    busy = true;
    shown = words;
    const address = words ? "/?" + words : "/?order=best";
    window.history.replaceState(window.history.state, "", address);
    tellAround(words);
    window.loadDesk(address, true).finally(() => {
      busy = false;
      apply();
    });
  };

  let later = 0;
  form.addEventListener("input", (event) => {
    window.clearTimeout(later);
    if (event.target.matches("select, [type=checkbox]")) apply();
    else later = window.setTimeout(apply, TYPING_MS);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    window.clearTimeout(later);
    apply();
  });
})();
