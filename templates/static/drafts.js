/* What is typed into a card's forms is kept in this browser until it is saved: it is offered again when the card opens again,
   after a closed tab too. It goes when it is saved, when the card is promoted, when it is thrown away, and on signing out. */
"use strict";
(() => {
  const PREFIX = "draft:";
  const MONTH_MS = 31 * 24 * 3600 * 1000;
  const FORMS = ["edit", "decide", "merge"];
  const TYPED = "textarea[name], select[name], input[type=text][name]";
  const user = document.body.dataset.user || "";
  const nameOf = (ref) => `${PREFIX}${user}:${ref}`;

  const read = (ref) => {
    try {
      return JSON.parse(window.localStorage.getItem(nameOf(ref)) || "null");
    } catch {
      return null;
    }
  };
  const write = (ref, draft) => {
    try {
      if (draft && Object.keys(draft.fields).length) window.localStorage.setItem(nameOf(ref), JSON.stringify(draft));
      else window.localStorage.removeItem(nameOf(ref));
    } catch {
      /* Without a store there is nothing to come back to; the page works as ever. */
    }
  };
  const clear = (wanted) => {
    try {
      for (const name of Object.keys(window.localStorage)) if (name.startsWith(PREFIX) && wanted(name)) window.localStorage.removeItem(name);
    } catch {
      /* Nothing was kept either. */
    }
  };
  const isOld = (name) => {
    try {
      return !(Date.now() - JSON.parse(window.localStorage.getItem(name)).at < MONTH_MS);
    } catch {
      return true;
    }
  };

  const formOf = (field) => FORMS.find((name) => field.form && field.form.classList.contains(name));
  const original = (field) => {
    if (field.tagName !== "SELECT") return field.defaultValue;
    const chosen = [...field.options].find((option) => option.defaultSelected) || field.options[0];
    return chosen ? chosen.value : "";
  };
  const cardOf = (element) => element.closest(".card[data-ref]");
  const fieldIn = (card, path) => {
    const [form, name] = path.split(".");
    return card.querySelector(`form.${form} [name="${window.CSS.escape(name)}"]:not([type=hidden])`);
  };

  document.addEventListener("input", (event) => {
    const field = event.target;
    const card = field.matches && field.matches(TYPED) && formOf(field) ? cardOf(field) : null;
    if (!card || !user || field.name === "until") return;
    const { ref, version } = card.dataset;
    const draft = read(ref) || { version, at: 0, fields: {}, was: {} };
    const path = `${formOf(field)}.${field.name}`;
    if (field.value === original(field) && !card.querySelector(".refusal")) {
      delete draft.fields[path];
    } else {
      if (!(path in draft.fields)) draft.was[path] = original(field);
      draft.fields[path] = field.value;
    }
    draft.at = Date.now();
    delete draft.sent;
    write(ref, draft);
    const offer = card.querySelector(".draft");
    if (offer) offer.remove();
  });

  const ago = (at) => {
    const minutes = Math.round((Date.now() - at) / 60000);
    if (minutes < 1) return "just now";
    if (minutes < 60) return `${minutes} minute${minutes === 1 ? "" : "s"} ago`;
    const hours = Math.round(minutes / 60);
    return hours < 48 ? `${hours} hour${hours === 1 ? "" : "s"} ago` : `${Math.round(hours / 24)} days ago`;
  };
  const button = (words, action, press) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "small";
    made.dataset.action = action;
    made.textContent = words;
    made.addEventListener("click", press);
    return made;
  };

  const takeUp = (card, draft) => {
    let first = null;
    for (const [path, words] of Object.entries(draft.fields)) {
      const field = fieldIn(card, path);
      if (!field) continue;
      const now = field.value;
      field.value = words;
      for (let up = field.parentElement; up && up !== card; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
      first = first || field;
      if (draft.was[path] !== undefined && draft.was[path] !== now && now !== words) {
        const note = document.createElement("span");
        note.className = "field-now";
        note.dir = "auto";
        note.textContent = `Saved meanwhile: ${now || "nothing"}`;
        field.after(note);
      }
    }
    if (first) first.focus();
  };

  const offer = (card) => {
    if (card.dataset.offered) return;
    card.dataset.offered = "yes";
    const { ref, version } = card.dataset;
    const draft = read(ref);
    if (!draft || !user) return;
    if (card.querySelector(".refusal")) return;
    const open = Object.entries(draft.fields).filter(([path, words]) => {
      const field = fieldIn(card, path);
      return field && field.value !== words;
    });
    if (!open.length || (draft.sent && Number(version) > Number(draft.version))) {
      write(ref, null);
      return;
    }
    const box = document.createElement("div");
    box.className = "draft";
    box.setAttribute("role", "status");
    const words = document.createElement("p");
    const changed = draft.version === version ? "" : " It has changed since; what is saved now is shown beside what you typed.";
    words.textContent = `You typed something here ${ago(draft.at)} and did not save it.${changed}`;
    const buttons = document.createElement("div");
    buttons.className = "buttons";
    buttons.append(
      button("Take it up again", "take-up", () => {
        box.remove();
        takeUp(card, draft);
      }),
      button("Throw it away", "throw-away", () => {
        write(ref, null);
        box.remove();
        const heading = card.querySelector(".statement");
        if (heading) heading.focus({ preventScroll: true });
      }),
    );
    box.append(words, buttons);
    const panel = card.querySelector("[data-panel-name=edit]");
    if (panel) panel.before(box);
  };

  const look = () => {
    for (const card of document.querySelectorAll("main .card[data-ref]")) offer(card);
  };

  /* Sent as a whole page: whether it was saved is seen when the card is shown again. */
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.getAttribute("action") && form.getAttribute("action").endsWith("/logout/")) clear(() => true);
    const card = form.matches("form.edit, form.merge") ? cardOf(form) : null;
    const draft = card && read(card.dataset.ref);
    if (draft) write(card.dataset.ref, { ...draft, version: card.dataset.version, sent: true });
  }, true);
  document.addEventListener("htmx:afterRequest", (event) => {
    const { elt, xhr, requestConfig } = event.detail;
    const card = elt && elt.closest ? elt.closest(".card[data-ref]") : null;
    if (!card || !requestConfig || requestConfig.verb !== "post" || !xhr) return;
    if (xhr.status >= 200 && xhr.status < 300 && !xhr.getResponseHeader("HX-Redirect")) write(card.dataset.ref, null);
  });
  /* Promoted, there is nothing left to take up; refused or put off, it may come back. */
  document.addEventListener("decided", ({ detail }) => {
    if (new URLSearchParams(detail.body).get("action") === "promote") write(detail.ref, null);
  });

  const place = document.getElementById("desk") ? document.querySelector("main") : null;
  if (place) new MutationObserver(look).observe(place, { childList: true, subtree: true });
  clear(isOld);
  look();
})();
