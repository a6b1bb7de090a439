/* The list beside the card keeps up with the keys: what was decided leaves it, and its head says which
   of how many it is and how many were decided today. The server's own list comes a moment later and is right in any case. */
"use strict";
window.progress = (() => {
  /* So many decided ones stay, faded, above the open one. */
  const LAST = 2;
  const list = () => document.querySelector("#desk .list");
  const head = (within) => within && within.querySelector(".progress");
  const add = (place, name, by) => {
    if (place && place.dataset[name] !== "") place.dataset[name] = String(Math.max(0, Number(place.dataset[name]) + by));
  };

  let open = "";
  const show = (ref = open) => {
    open = ref;
    for (const row of document.querySelectorAll("#desk .row")) {
      if (row.dataset.row === open) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
    const place = head(list());
    if (!place) return;
    const rows = [...list().querySelectorAll(".row[data-row]:not(.decided)")];
    const at = rows.findIndex((row) => row.hasAttribute("aria-current"));
    const { left, decided, more } = place.dataset;
    const all = left === "" ? `more than ${rows.length}` : `${more ? "over " : ""}${left}`;
    place.querySelector("[data-position]").textContent = `${at >= 0 ? `${at + 1} of ` : ""}${all}`;
    place.querySelector("[data-today]").textContent = `${decided} decided today`;
  };

  return {
    show,
    decided(ref) {
      const row = list() && list().querySelector(`.row[data-row="${window.CSS.escape(ref)}"]`);
      const place = head(list());
      add(place, "decided", 1);
      if (row && !row.classList.contains("decided")) add(place, "left", -1);
      if (row) row.classList.add("decided");
      const decided = list() ? [...list().querySelectorAll(".row.decided")] : [];
      for (const old of decided.slice(0, -LAST)) old.remove();
      show();
    },
    /* A newer list, in which decisions that are still on their way are taken account of. */
    without(fresh, refs) {
      const rows = [...fresh.querySelectorAll(".row[data-row]")].filter((row) => refs.has(row.dataset.row));
      for (const row of rows) row.remove();
      add(head(fresh), "left", -rows.length);
      add(head(fresh), "decided", rows.length);
    },
  };
})();
