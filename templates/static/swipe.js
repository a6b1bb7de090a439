/* On a touch screen a card is swiped: to the right it is promoted, to the left rejected, as the buttons do, and taken back as
   ever. A swipe that is let go early does nothing. */
"use strict";
(() => {
  const EDGE = 24;
  const UNREAD_MS = 80;
  const SIDES = { right: ["promote", "Promote"], left: ["reject", "Reject"] };
  /* Where a finger means something else. */
  const OTHER = "input, select, textarea, button, summary, .table-wrap, details.panel[open]";
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  let swipe = null;

  const far = () => Math.min(140, window.innerWidth * 0.35);
  const hint = document.createElement("div");
  hint.className = "swipe-hint";
  hint.setAttribute("aria-hidden", "true");

  const end = () => {
    if (!swipe) return;
    swipe.card.style.transform = "";
    hint.remove();
    swipe = null;
  };

  document.addEventListener("touchstart", (event) => {
    end();
    const card = event.target.closest && event.target.closest("#open-card .card");
    const [{ clientX: x, clientY: y }] = event.touches;
    if (!card || event.touches.length > 1 || event.target.closest(OTHER) || card.querySelector("details.panel[open]")) return;
    if (x < EDGE || x > window.innerWidth - EDGE || !window.getSelection().isCollapsed) return;
    if (event.timeStamp - Number(card.dataset.shownAt ?? Infinity) < UNREAD_MS) return;
    swipe = { card, x, y, by: 0, sure: false };
  }, { passive: true });

  document.addEventListener("touchmove", (event) => {
    if (!swipe) return;
    const [{ clientX, clientY }] = event.touches;
    const [by, down] = [clientX - swipe.x, clientY - swipe.y];
    if (!swipe.sure && Math.abs(down) > 12 && Math.abs(down) > Math.abs(by)) {
      end();
      return;
    }
    if (Math.abs(by) < 12) return;
    swipe.sure = true;
    swipe.by = by;
    if (!still.matches) swipe.card.style.transform = `translateX(${by}px)`;
    const side = by > 0 ? "right" : "left";
    if (Math.abs(by) < far()) {
      hint.remove();
      return;
    }
    hint.dataset.side = side;
    [, hint.textContent] = SIDES[side];
    document.body.append(hint);
  }, { passive: true });

  document.addEventListener("touchcancel", end, { passive: true });
  document.addEventListener("touchend", () => {
    if (!swipe) return;
    const { card, by, sure } = swipe;
    end();
    if (!sure || Math.abs(by) < far() || !card.isConnected) return;
    const [action] = SIDES[by > 0 ? "right" : "left"];
    const button = card.querySelector(`form.decide [data-action=${action}]`);
    if (button) button.click();
  }, { passive: true });
})();
