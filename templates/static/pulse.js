/* The head of a page that shows no list: how much waits, asked for now and then and only while somebody looks. */
"use strict";
(() => {
  const EVERY_MS = 20000;
  const place = document.getElementById("backlog");
  // The desk renews the head with its list.
  if (!place || document.getElementById("desk")) return;
  let tag = "";
  const ask = () => {
    window.setTimeout(ask, EVERY_MS);
    if (document.hidden || place.contains(document.activeElement)) return;
    fetch("/pulse", {
      headers: { "HX-Request": "true", ...(tag ? { "If-None-Match": tag } : {}) },
      credentials: "same-origin",
    })
      .then(async (response) => {
        if (response.status !== 200 || response.headers.get("HX-Redirect")) return;
        tag = response.headers.get("ETag") || "";
        const page = new DOMParser().parseFromString(await response.text(), "text/html");
        place.replaceChildren(...page.body.childNodes);
      })
      .catch(() => {});
  };
  window.setTimeout(ask, EVERY_MS);
})();
