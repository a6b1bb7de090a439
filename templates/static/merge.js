/* Merging by keys: while the field is empty a digit chooses one of those that are listed, arrows walk among them, and Enter with
   nothing says what is missing. */
"use strict";
(() => {
  const REF = /^[a-z]{2,4}-\d{8}-\d{3,}$/i;
  const picks = (form) => [...form.querySelectorAll("[data-action=pick-alike]")];
  const say = (form, words) => {
    form.querySelector("[data-alike-said]").textContent = words;
  };

  document.addEventListener("keydown", (event) => {
    const form = event.target.closest && event.target.closest("form.merge");
    if (!form || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const all = picks(form);
    const field = form.elements.namedItem("into");
    const typed = event.target === field ? field.value.trim() : null;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) {
      const at = all.indexOf(document.activeElement) + by;
      (at < 0 ? field : all[Math.min(at, all.length - 1)] || field).focus();
    } else if (typed === "" && /^[1-9]$/.test(event.key)) {
      const pick = all[Number(event.key) - 1];
      if (pick) pick.click();
      else say(form, all.length ? `There are ${all.length}.` : "There is none to choose. Type words of the other one.");
    } else if (typed !== null && event.key === "Enter") {
      if (REF.test(typed)) form.querySelector("[data-action=save-merge]").click();
      else say(form, typed ? "Choose one of those found: ↓ and Enter, or a click." : "Nothing is chosen yet: press a digit, or type words of the other one.");
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
})();
