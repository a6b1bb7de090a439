/* The decisions of this session, newest first: `u` takes the last one back, again and again, Shift+U takes back the taking back,
   and each of the last ten has a button of its own. They outlive a reload. What decides is the server's answer alone. */
"use strict";
window.undoLine = (() => {
  const SHOWN = 10;
  const KEPT = 200;
  const name = `decided:${document.body.dataset.user || ""}`;
  const read = () => {
    try {
      return JSON.parse(window.sessionStorage.getItem(name)) || { done: [], undone: [] };
    } catch {
      return { done: [], undone: [] };
    }
  };
  let line = read();

  const keep = () => {
    for (const side of ["done", "undone"]) line[side] = line[side].slice(-KEPT);
    try {
      window.sessionStorage.setItem(name, JSON.stringify(line));
    } catch {
      /* It lasts as long as the page. */
    }
    show();
  };

  const show = () => {
    const place = document.getElementById("undo-line");
    if (!place) return;
    const rows = line.done.slice(-SHOWN).reverse();
    place.closest("details").hidden = !rows.length;
    place.replaceChildren(
      ...rows.map((step) => {
        const row = document.createElement("li");
        const button = document.createElement("button");
        button.type = "button";
        button.className = "small";
        button.textContent = "Take back";
        button.setAttribute("aria-label", `Take back: ${step.words}`);
        button.addEventListener("click", () => walk(step));
        const words = document.createElement("span");
        words.textContent = step.words;
        row.append(words, " ", button);
        return row;
      }),
    );
  };

  const forget = (address) => {
    for (const side of ["done", "undone"]) line[side] = line[side].filter((step) => step.url !== address);
  };

  /* What an answer offers to take back. A new decision ends the way forward. */
  const note = (page) => {
    for (const form of page.querySelectorAll(".toast-line form[data-step]")) {
      const step = { url: form.getAttribute("action"), words: form.closest(".toast-line").querySelector("p").textContent.trim() };
      const side = form.dataset.step;
      if (line[side].some((one) => one.url === step.url)) continue;
      line[side].push(step);
    }
    keep();
  };

  /* One after the other, and none before what was decided has arrived. */
  const asked = [];
  let busy = false;
  const go = () => {
    if (busy || !asked.length || !window.outbox.idle) return;
    const next = asked.shift();
    const step = typeof next === "string" ? line[next].at(-1) : next;
    if (!step) {
      go();
      return;
    }
    busy = true;
    forget(step.url);
    const back = document.querySelector("#desk input[name=back]");
    const values = { back: back ? back.value : `${window.location.pathname}${window.location.search}` };
    window.htmx.ajax("POST", step.url, { source: "#toast", target: "#desk", swap: "outerHTML", values }).finally(() => {
      busy = false;
      keep();
      go();
    });
  };
  const walk = (next) => {
    asked.push(next);
    go();
  };

  document.addEventListener("decided", () => window.setTimeout(go, 0));
  document.addEventListener("htmx:afterRequest", (event) => {
    const { xhr, requestConfig, successful } = event.detail;
    if (!requestConfig || requestConfig.verb !== "post" || !xhr) return;
    if (successful) forget(requestConfig.path);
    note(new DOMParser().parseFromString(xhr.responseText, "text/html"));
  });
  note(document);

  return {
    note,
    back: () => Boolean(line.done.length || !window.outbox.idle) && (walk("done"), true),
    forward: () => Boolean(line.undone.length || asked.length || busy) && (walk("undone"), true),
  };
})();
