/* Similar candidates beside a card: the buttons say how many they decide, and one box or the key s chooses all. */
"use strict";
(() => {
  const boxesOf = (part) => [...part.querySelectorAll("input[name=also]")];
  const told = (count) =>
    count ? `${count} more ${count === 1 ? "is" : "are"} decided together with this one.` : "Choose which are decided together with this one.";

  const count = (part) => {
    const boxes = boxesOf(part);
    const chosen = boxes.filter((box) => box.checked).length;
    const all = part.querySelector("[data-similar-all]");
    if (all) {
      all.closest("label").hidden = boxes.length < 2;
      all.checked = chosen > 0 && chosen === boxes.length;
      all.indeterminate = chosen > 0 && chosen < boxes.length;
    }
    const said = part.querySelector("[data-similar-said]");
    if (said && said.textContent !== told(chosen)) said.textContent = told(chosen);
    const card = part.closest(".card");
    for (const place of card ? card.querySelectorAll(".also-count") : []) {
      place.textContent = chosen ? String(chosen + 1) : "";
    }
  };

  /* What somebody else reads is chosen by hand only. */
  const chooseAll = (part, on) => {
    for (const box of boxesOf(part)) box.checked = on && !box.closest("li").querySelector("[data-read]");
    count(part);
  };

  document.addEventListener("change", (event) => {
    const part = event.target.closest && event.target.closest(".similar");
    if (!part) return;
    if (event.target.matches("[data-similar-all]")) chooseAll(part, event.target.checked);
    else count(part);
  });

  window.similar = {
    /* The key s: all of them, or none where any is chosen. */
    toggle(card) {
      const part = card && card.querySelector(".similar");
      if (!part || !boxesOf(part).length) return false;
      chooseAll(part, !boxesOf(part).some((box) => box.checked));
      part.scrollIntoView({ block: "nearest" });
      return true;
    },
    chosen: (card) => (card ? [...card.querySelectorAll(".similar input[name=also]:checked")] : []),
    /* Those that were decided meanwhile are none any more. */
    without(card, refs) {
      const part = card.querySelector(".similar");
      if (!part) return;
      for (const row of part.querySelectorAll("[data-similar]")) if (refs.has(row.dataset.similar)) row.remove();
      if (boxesOf(part).length) count(part);
      else part.remove();
    },
  };
  for (const part of document.querySelectorAll("main .similar")) count(part);
})();
