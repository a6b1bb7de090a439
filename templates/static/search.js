/* The search over everything, from any page: Ctrl+K, or / where single keys are on. It is a form; this opens it, and moves among
   its answers. */
"use strict";
window.searchBox = (() => {
  const dialog = document.getElementById("search");
  if (!dialog) return { open: () => false };
  const field = dialog.querySelector("input");
  const results = document.getElementById("search-results");
  /* What the list that is shown answers: nobody opens an answer to what was asked before. */
  let answered = null;
  const stale = () => answered !== field.value;
  const links = () => (stale() ? [] : [...results.querySelectorAll("[data-found]")]);
  const mark = () => results.setAttribute("aria-busy", String(stale()));

  const open = () => {
    if (dialog.open) return true;
    if (document.querySelector("dialog[open]")) return false;
    dialog.showModal();
    field.select();
    if (!links().length) window.htmx.trigger(field.form, "asked");
    return true;
  };

  const step = (by) => {
    const all = links();
    const at = all.indexOf(document.activeElement) + by;
    const next = at < 0 ? field : all[Math.min(at, all.length - 1)];
    if (next) next.focus();
  };

  field.addEventListener("input", mark);
  results.addEventListener("htmx:afterSwap", (event) => {
    answered = event.detail.requestConfig.parameters.q || "";
    mark();
  });
  dialog.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.isComposing || (!by && event.key !== "Escape")) return;
    event.preventDefault();
    /* A search field would keep the first Escape to empty itself. */
    if (by) step(by);
    else dialog.close();
  });
  /* Enter in the field goes to a page of its own, which htmx must not answer in place. */
  field.form.addEventListener("submit", (event) => {
    event.stopPropagation();
  }, true);
  dialog.querySelector("[data-close-search]").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-open-search]");
    if (opener && !event.ctrlKey && !event.metaKey && !event.shiftKey && open()) event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    if (open()) event.preventDefault();
  });
  return { open };
})();
