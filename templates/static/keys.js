/* One key decides and advances. Buttons and links are the program; this only presses them. */
"use strict";
(() => {
  const off = () => document.body.dataset.keys === "off";
  const typing = (element) =>
    element.isContentEditable || /^(input|textarea|select)$/i.test(element.tagName) && !/^(checkbox|radio|button|submit)$/i.test(element.type);
  const card = () => document.querySelector("#open-card .card") || document.querySelector(".column-main .card");
  const find = (selector) => {
    const here = card();
    return (here && here.querySelector(selector)) || null;
  };
  const press = (element) => {
    if (element && !element.disabled) element.click();
    return Boolean(element);
  };
  /* Nobody reads a card in so short a time: a key that was meant for the one before decides nothing here. */
  const UNREAD_MS = 80;
  const whyNot = (event, here) => {
    if (!here || !here.closest("#open-card")) return "";
    const { ref, sent, renewed, shownAt } = here.dataset;
    if (sent) return `${ref} is decided already; the next card is on its way.`;
    if (event.timeStamp - Number(shownAt ?? Infinity) >= UNREAD_MS) return "";
    return renewed
      ? `What ${ref} would meet changed just as the key came. Nothing was decided: look again.`
      : `Too fast for ${ref}: the key came as it appeared, and decided nothing.`;
  };
  /* A key that decides nothing says why. */
  const tooFast = (event) => {
    const why = whyNot(event, card());
    if (!why) return false;
    const toast = document.getElementById("toast");
    const words = document.createElement("p");
    words.textContent = why;
    const line = document.createElement("div");
    line.className = "toast-line";
    line.dataset.level = "warning";
    line.dataset.keep = "keys";
    line.append(words);
    for (const old of toast.querySelectorAll("[data-keep=keys]")) old.remove();
    toast.append(line);
    window.setTimeout(() => line.remove(), 5000);
    return true;
  };
  /* What is ticked in the list is what a key decides about; nothing ticked, the open card. */
  const ticked = () => document.querySelector("#desk [name=refs]:checked");
  const decide = (action, event) =>
    ticked() ? press(document.querySelector(`#desk [data-action=${action}-selected]`)) : tooFast(event) || press(find(`[data-action=${action}]`));
  /* On a source p proposes the words that are marked. */
  const proposeMarked = () => press(document.querySelector("#propose-bar:not([hidden]) button"));
  const panel = (name) => {
    const found = find(`[data-panel-name="${name}"]`) || document.querySelector(`[data-panel-name="${name}"]`);
    if (!found) return false;
    found.open = true;
    const first = found.querySelector("textarea, input:not([type=hidden]), select");
    if (first) {
      first.focus();
      if (first.select) first.select();
    }
    found.scrollIntoView({ block: "nearest" });
    return true;
  };
  /* A refusal's ways to go on come first, then the places of unclear words, then the claims that a candidate could join. */
  const CHOICES = [".refusal .choices [data-action=choose]", ".places [data-action=anchor]", ".blind .choices button", ".value-group .choices button", ".preview .choices button"];
  const reason = (digit, event) => {
    const here = card();
    for (const choices of here ? CHOICES.map((selector) => here.querySelectorAll(selector)) : []) {
      if (choices.length) return (choices[digit - 1] && tooFast(event)) || press(choices[digit - 1]);
    }
    const radio = find(`[data-reason="${digit}"]`);
    if (!radio) return false;
    radio.closest("details").open = true;
    radio.checked = true;
    return true;
  };
  const undo = () => (window.undoLine && window.undoLine.back()) || press(document.querySelector("#toast [data-action=undo]"));
  const redo = () => Boolean(window.undoLine) && window.undoLine.forward();
  const help = () => {
    const dialog = document.getElementById("help");
    if (dialog && !dialog.open) dialog.showModal();
    return Boolean(dialog);
  };
  const search = () => {
    if (window.searchBox) return window.searchBox.open();
    const field = document.querySelector("[data-search]");
    if (field) field.focus();
    return Boolean(field);
  };
  const boxes = () => [...document.querySelectorAll("#desk .list [name=refs]")];
  const open = () => document.querySelector("#desk .row[aria-current] [name=refs]");
  let last = "";
  const tick = (box, on) => {
    if (box.checked !== on) box.click();
  };
  const select = () => {
    const box = open();
    if (box) box.click();
    return Boolean(box);
  };
  /* From the one that was ticked last to this one, as it is ticked. */
  const range = (box) => {
    const all = boxes();
    const [from, to] = [all.findIndex((one) => one.value === last), all.indexOf(box)].sort((a, b) => a - b);
    for (const one of from < 0 ? [box] : all.slice(from, to + 1)) tick(one, true);
  };
  const selectTo = () => Boolean(open()) && (range(open()), true);
  const selectAll = () => {
    const all = boxes();
    const on = all.some((box) => !box.checked);
    for (const box of all) tick(box, on);
    return Boolean(all.length);
  };
  document.addEventListener("click", (event) => {
    if (!event.target.matches("#desk .list [name=refs]")) return;
    if (event.shiftKey && event.target.checked && last) range(event.target);
    if (!event.shiftKey || event.isTrusted) last = event.target.value;
  });
  const KEYS = {
    p: (event) => proposeMarked() || decide("promote", event),
    r: (event) => decide("reject", event),
    d: (event) => decide("defer", event),
    e: () => panel("edit"),
    m: (event) => (window.similar.chosen(card()).length ? decide("join", event) : panel("merge")),
    h: () => panel("hand-over"),
    s: () => window.similar.toggle(card()),
    u: undo,
    U: redo,
    j: () => press(document.querySelector("[data-nav=next]")),
    k: () => press(document.querySelector("[data-nav=previous]")),
    x: select,
    X: selectTo,
    "*": selectAll,
    "/": search,
    "?": help,
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
    if (event.key === "Escape" && typing(event.target)) {
      event.target.blur();
      return;
    }
    if (off() || event.repeat || typing(event.target) || document.querySelector("dialog[open]")) return;
    const act = /^[1-9]$/.test(event.key) ? () => reason(Number(event.key), event) : Object.hasOwn(KEYS, event.key) && KEYS[event.key];
    if (act && act(event)) event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-panel]");
    if (opener && panel(opener.dataset.panel)) event.preventDefault();
  });
})();
