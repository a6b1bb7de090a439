/* A click on lit words shows the claims that rest on them; a claim's own link lights its words up. Where quotes overlap, all
   that meet at that place are shown. The list beside the text does the same by keyboard. */
"use strict";
(() => {
  const text = document.getElementById("source-text");
  const list = document.querySelector(".cites");
  if (!text || !list) return;
  const how = list.querySelector("[data-cites-how]");
  const said = list.querySelector("[data-cites-said]");
  if (how) how.hidden = false;
  const rowOf = (pk) => list.querySelector(`[data-cites~="${pk}"]`);
  const piecesOf = (pk) => text.querySelectorAll(`mark[data-evidence="${pk}"]`);

  const light = (ids) => {
    for (const old of document.querySelectorAll("[data-lit]")) delete old.dataset.lit;
    for (const pk of ids) {
      for (const piece of piecesOf(pk)) piece.dataset.lit = "yes";
      const row = rowOf(pk);
      if (row) row.dataset.lit = "yes";
    }
  };

  text.addEventListener("click", (event) => {
    if (!window.getSelection().isCollapsed) return;
    const ids = [];
    for (let at = event.target.closest("mark[data-evidence]"); at; at = at.parentElement.closest("mark[data-evidence]")) {
      ids.push(at.dataset.evidence);
    }
    if (!ids.length) return;
    light(ids);
    const rows = ids.map(rowOf).filter(Boolean);
    if (!rows.length) return;
    rows[0].scrollIntoView({ block: "nearest" });
    rows[0].focus({ preventScroll: true });
    const count = rows.reduce((sum, row) => sum + row.dataset.cites.split(" ").length, 0);
    if (said) said.textContent = `${count} quote${count === 1 ? "" : "s"} at these words.`;
  });

  list.addEventListener("click", (event) => {
    const link = event.target.closest("[data-shows]");
    if (link) light([link.dataset.shows]);
  });

  const target = /^#evidence-(\d+)$/.exec(window.location.hash);
  if (target) light([target[1]]);
})();
