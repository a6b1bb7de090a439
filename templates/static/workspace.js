/* The working screen: what is typed is kept in this browser until its turn is kept; the agent's answer arrives piece by piece; what
   is found in a turn appears beside it, without touching what is being typed or read. */
"use strict";
(() => {
  const place = document.querySelector("[data-workspace]");
  const form = document.getElementById("turn-form");
  if (!place || !form) return;
  const name = `draft:${document.body.dataset.user || ""}:workspace:${place.dataset.workspace}`;
  const TYPED = "textarea[name], input[type=text][name], input[type=radio], input[type=checkbox]";

  const read = () => {
    try {
      return JSON.parse(window.localStorage.getItem(name) || "null");
    } catch {
      return null;
    }
  };
  const keep = () => {
    const fields = [...form.querySelectorAll(TYPED)]
      .filter((field) => (/radio|checkbox/.test(field.type) ? field.checked : field.value))
      .map((field) => [field.name, field.value]);
    try {
      window.localStorage.setItem(name, JSON.stringify({ at: Date.now(), bundle: form.elements.bundle.value, fields }));
    } catch {
      /* Without a store the page works as ever. */
    }
  };
  const forget = () => {
    try {
      window.localStorage.removeItem(name);
    } catch {
      /* Nothing was kept either. */
    }
  };

  const draft = read();
  if (draft && place.dataset.kept && draft.bundle === place.dataset.kept) {
    forget();
  } else if (draft && !form.closest("main").querySelector(".refusal")) {
    /* The same bundle again: sent twice, it is one turn. */
    form.elements.bundle.value = draft.bundle;
    for (const [field, value] of draft.fields) {
      for (const one of form.querySelectorAll(`[name="${window.CSS.escape(field)}"]`)) {
        if (/radio|checkbox/.test(one.type)) one.checked = one.checked || one.value === value;
        else if (!one.value) one.value = value;
      }
    }
  }
  form.addEventListener("input", keep);

  const state = document.getElementById("workspace-state");
  const EVERY_MS = 500;
  const MOST = 240;
  let tag = "";
  let asked = 0;
  const busy = () => state.contains(document.activeElement) || state.querySelector("details.panel[open]");
  const look = () => {
    asked += 1;
    if (document.hidden) return window.setTimeout(look, EVERY_MS);
    return fetch(state.dataset.state, { headers: tag ? { "If-None-Match": tag } : {}, credentials: "same-origin" })
      .then(async (response) => {
        if (response.status === 304) tag = response.headers.get("ETag") || tag;
        if (response.status === 200 && !response.redirected && !busy()) {
          tag = response.headers.get("ETag") || "";
          const page = new DOMParser().parseFromString(await response.text(), "text/html");
          state.dataset.reading = page.querySelector("[role=status]") ? "yes" : "no";
          state.replaceChildren(...page.body.childNodes);
          if (window.lit) window.lit.show(state);
        }
      })
      .catch(() => {})
      .finally(() => {
        if (state.dataset.reading === "yes" && asked < MOST) window.setTimeout(look, EVERY_MS);
      });
  };
  if (state.dataset.reading === "yes") window.setTimeout(look, EVERY_MS);

  const reply = document.querySelector("[data-reply]");
  if (reply) {
    const words = reply.querySelector(".said-words");
    const body = new URLSearchParams({ csrfmiddlewaretoken: form.elements.csrfmiddlewaretoken.value });
    fetch(reply.dataset.reply, { method: "POST", body, credentials: "same-origin" })
      .then(async (response) => {
        if (!response.ok || !response.body) throw new Error(String(response.status));
        const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader();
        for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) words.textContent += piece.value;
        state.dataset.reading = "yes";
        look();
      })
      .catch(() => {
        words.textContent += " (no answer; your turn is kept)";
      });
    /* A reload asks nobody again. */
    const address = new URL(window.location.href);
    address.searchParams.delete("reply");
    window.history.replaceState(null, "", address);
  }
})();
