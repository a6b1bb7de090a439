/* Marked words of a source can be proposed: the bar at the lower edge says how many characters they are. Offsets are counted in
   code points, as the server counts. */
"use strict";
(() => {
  const text = document.getElementById("source-text");
  const bar = document.getElementById("propose-bar");
  if (!text || !bar) return;
  const count = (words) => [...words].length;
  let marked = null;

  const look = () => {
    const selection = window.getSelection();
    const range = selection.rangeCount && !selection.isCollapsed ? selection.getRangeAt(0) : null;
    marked = range && text.contains(range.commonAncestorContainer) && range.toString().trim() ? range.cloneRange() : null;
    bar.hidden = !marked;
    if (marked) bar.querySelector("[data-marked]").textContent = `${count(marked.toString())} characters marked`;
  };

  let due = 0;
  document.addEventListener("selectionchange", () => {
    if (bar.contains(document.activeElement)) return;
    window.cancelAnimationFrame(due);
    due = window.requestAnimationFrame(look);
  });

  bar.addEventListener("submit", () => {
    const before = document.createRange();
    before.selectNodeContents(text);
    before.setEnd(marked.startContainer, marked.startOffset);
    const start = Number(text.dataset.from) + count(before.toString());
    bar.elements.namedItem("start").value = String(start);
    bar.elements.namedItem("end").value = String(start + count(marked.toString()));
  });
})();
