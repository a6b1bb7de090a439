/* The statement is edited where it stands. Words that were typed and not saved are what Promote promotes: never the old ones. */
"use strict";
(() => {
  const wasOf = (field) => {
    if (field.tagName !== "SELECT") return field.defaultValue;
    const chosen = [...field.options].find((option) => option.defaultSelected) || field.options[0];
    return chosen ? chosen.value : "";
  };
  const typedInto = (card) => {
    const form = card && card.querySelector("form.edit");
    const fields = form ? [...form.querySelectorAll("textarea, select, input[type=text]")] : [];
    return fields.some((field) => field.value !== wasOf(field)) ? form : null;
  };
  const promote = (form) => form.querySelector("[data-action=save-and-promote]").click();

  document.addEventListener("submit", (event) => {
    const { target, submitter } = event;
    if (!target.matches("form.decide") || !submitter || submitter.value !== "promote") return;
    const typed = typedInto(target.closest(".card"));
    if (!typed) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    promote(typed);
  }, true);

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || event.shiftKey || event.altKey) return;
    const form = event.target.closest && event.target.closest("form.edit");
    if (!form || event.target.matches("button, summary")) return;
    event.preventDefault();
    promote(form);
  });
})();
