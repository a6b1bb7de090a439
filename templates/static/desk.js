/* The next cards are already there: a decision that needs no choice shows the next at once and is saved meanwhile (outbox.js).
   What the server refuses comes back. More cards are fetched before they are needed, and what others do
   appears in the list without moving what is being read. */
"use strict";
(() => {
  const DECIDES = new Set(["promote", "reject", "defer"]);

  const desk = () => document.getElementById("desk");
  const toast = () => document.getElementById("toast");

  const say = (words, ref, more = []) => {
    const line = document.createElement("div");
    line.className = "toast-line";
    line.dataset.level = "error";
    const text = document.createElement("p");
    text.textContent = words;
    line.append(text);
    if (ref) {
      const link = document.createElement("a");
      link.href = "/?card=" + encodeURIComponent(ref);
      link.textContent = "Open " + ref;
      line.append(link);
    }
    line.append(...more);
    toast().replaceChildren(line, ...toast().querySelectorAll("[data-keep]"));
  };

  const AHEAD = 5;
  /* What was decided here, though the server may not know yet: it must not come back as the next card. */
  const gone = new Set();
  /* What was promoted here and is on its way, by ref what it is about: a card about the same is compared anew before it is shown. */
  const promoted = new Map();
  const MEETING_MS = 1000;
  const waiting = () => [...document.querySelectorAll("#desk template.ahead")];
  const openCard = () => document.querySelector("#open-card .card");

  const noteShown = () => {
    const card = openCard();
    if (!card) return;
    window.similar.without(card, gone);
    window.lit.show(card);
    window.requestAnimationFrame(() => {
      card.dataset.shownAt = String(window.performance.now());
    });
    window.progress.show(card.dataset.ref);
  };

  const showFollowing = (card, action) => {
    const place = document.getElementById("open-card");
    if (!place || !card.isConnected || (action === "promote" && card.dataset.sure !== "yes")) return false;
    if (card.querySelector("details.panel[open]")) return false;
    const template = waiting().find((one) => one.dataset.ref !== card.dataset.ref && !gone.has(one.dataset.ref));
    if (!template) return false;
    const { slot } = template.content.querySelector(".card").dataset;
    if (action && slot && [...promoted.values()].includes(slot)) {
      window.setTimeout(() => showFollowing(card, ""), MEETING_MS);
      return false;
    }
    place.replaceChildren(template.content.cloneNode(true));
    template.remove();
    window.progress.decided(card.dataset.ref);
    window.htmx.process(place);
    noteShown();
    focusCard();
    fetchAhead();
    return true;
  };

  const filters = () => {
    const chosen = new URLSearchParams(window.location.search);
    for (const name of ["card", "then"]) chosen.delete(name);
    return chosen;
  };
  const ask = (path, more, headers = {}) => {
    const chosen = filters();
    for (const [name, value] of Object.entries(more)) chosen.set(name, value);
    return fetch(`${path}?${chosen}`, { headers: { "HX-Request": "true", ...headers }, credentials: "same-origin" });
  };

  let fetching = false;
  const fetchAhead = () => {
    const have = waiting().map((one) => one.dataset.ref);
    if (fetching || !desk() || !openCard() || have.length > AHEAD - 2) return;
    fetching = true;
    const passed = [openCard().dataset.ref, ...[...gone].slice(-AHEAD * 3)];
    ask("/ahead", { have: have.join(","), seen: passed.join(",") })
      .then((response) => (response.ok && !response.headers.get("HX-Redirect") ? response.text() : ""))
      .then((html) => {
        const page = new DOMParser().parseFromString(html, "text/html");
        const open = openCard();
        const known = new Set([...gone, ...(open ? [open.dataset.ref] : []), ...waiting().map((one) => one.dataset.ref)]);
        for (const one of page.querySelectorAll("template.ahead")) {
          if (!known.has(one.dataset.ref)) desk().append(document.adoptNode(one));
        }
      })
      .catch(() => {})
      .finally(() => {
        fetching = false;
      });
  };

  /* The list and the backlog as they are now. What is read, written in or pointed at stays where it is. */
  let tag = "";
  let later = 0;
  const EVERY_MS = 10000;
  let dueAt = Infinity;
  /* What comes sooner counts: decisions that follow each other fast must not put it off for ever. */
  const within = (ms) => {
    const at = window.performance.now() + ms;
    if (at >= dueAt) return;
    window.clearTimeout(later);
    dueAt = at;
    later = window.setTimeout(refresh, ms);
  };
  const refresh = () => {
    dueAt = Infinity;
    within(EVERY_MS);
    if (document.hidden || !desk()) return;
    const card = openCard();
    ask("/live", { open: card ? card.dataset.ref : "", mine: window.fresh.marks() }, tag ? { "If-None-Match": tag } : {})
      .then(async (response) => {
        if (response.status === 304) tag = response.headers.get("ETag") || tag;
        if (response.status !== 200 || response.headers.get("HX-Redirect")) return;
        const page = new DOMParser().parseFromString(await response.text(), "text/html");
        /* What is still on its way was not counted. */
        tag = (window.outbox.idle && response.headers.get("ETag")) || "";
        renew(page);
      })
      .catch(() => {});
  };
  const soon = () => within(800);

  const renew = (page) => {
    if (window.fresh.take(page)) noteShown();
    const fresh = page.querySelector(".list");
    const old = document.querySelector("#desk .list");
    if (fresh) window.progress.without(fresh, gone);
    if (!openCard() && fresh && fresh.querySelector(".row:not(.reading)")) {
      loadDesk(`/?${filters()}`);
      return;
    }
    takeOutOfBand(page);
    if (!fresh || !old || old.contains(document.activeElement)) return;
    const { scrollTop } = old;
    old.replaceWith(fresh);
    fresh.scrollTop = scrollTop;
    window.htmx.process(fresh);
    reselect();
    window.progress.show(openCard()?.dataset.ref);
  };

  const takeOutOfBand = (page) => {
    for (const piece of page.querySelectorAll("[hx-swap-oob]")) {
      const target = document.getElementById(piece.id);
      if (target) {
        target.replaceChildren(...piece.childNodes, ...target.querySelectorAll("[data-keep]"));
        window.htmx.process(target);
      }
    }
  };

  /* What is selected stays selected while the list is renewed. */
  const selected = new Set();
  document.addEventListener("change", (event) => {
    if (event.target.name !== "refs") return;
    if (event.target.checked) selected.add(event.target.value);
    else selected.delete(event.target.value);
    countSelected();
  });
  const reselect = () => {
    for (const box of document.querySelectorAll("#desk input[name=refs]")) box.checked = selected.has(box.value);
    countSelected();
  };
  const countSelected = () => {
    const count = document.querySelectorAll("#desk input[name=refs]:checked").length;
    for (const place of document.querySelectorAll("#desk .ticked-count")) place.textContent = count || "";
  };

  const focusCard = () => {
    const heading = document.querySelector("#open-card .statement");
    if (heading) heading.focus({ preventScroll: true });
    /* On a phone the page does not jump back to its head: the next card begins where one can read it. */
    const above = heading && window.matchMedia("(width <= 40rem)").matches ? heading.closest(".card").getBoundingClientRect().top : 0;
    if (!above) window.scrollTo({ top: 0, behavior: "instant" });
    else if (above < 0) window.scrollBy({ top: above - 8, behavior: "instant" });
  };

  /* Signing in happens beside this page, so that what was typed here stays. */
  const signedOut = (words, again) => {
    const link = document.createElement("a");
    link.href = "/login/";
    link.target = "_blank";
    link.rel = "noopener";
    link.textContent = "Sign in (new tab)";
    const more = [link];
    if (again) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "Send again";
      button.addEventListener("click", again);
      more.push(button);
    }
    say("You are signed out. " + words, "", more);
  };
  const signIn = (job, count) => {
    const others = count > 1 ? ` and ${count - 1} more are` : " is";
    signedOut(`${job.ref}${others} not saved yet; nothing you typed is lost.`, window.outbox.now);
  };

  const take = (html, status, { ref, body }) => {
    promoted.delete(ref);
    const page = new DOMParser().parseFromString(html, "text/html");
    const fresh = page.getElementById("desk");
    if (status < 400) {
      window.undoLine.note(page);
      takeOutOfBand(page);
      if (window.fresh.take(page)) noteShown();
      for (const left of page.querySelectorAll("[data-left]")) comesBack(left.dataset.left);
      const card = openCard();
      if (card && card.dataset.ref === ref && !window.outbox.waiting) advance(card);
      soon();
      return;
    }
    comesBack(ref);
    for (const other of new URLSearchParams(body).getAll("also")) comesBack(other.split(":")[0]);
    if (!fresh) {
      const heading = page.querySelector(".problem-detail, h1");
      say(ref + ": " + (heading ? heading.textContent.trim() : "the server refused this"), ref);
      return;
    }
    const open = openCard();
    if (window.outbox.waiting || (open && open.dataset.ref !== ref && open.querySelector("details.panel[open]"))) {
      const why = page.querySelector(".refusal p");
      say(ref + ": " + (why ? why.textContent.trim().replace(/\s+/g, " ") : "not decided"), ref);
      return;
    }
    takeOutOfBand(page);
    desk().replaceWith(fresh);
    askDesk();
    reselect();
    window.htmx.process(fresh);
    noteShown();
    focusCard();
  };

  /* Whole desks are asked for one after the other, the last that somebody chose. What is decided or taken back brings a desk of its
     own: the answer to what was asked before tells what no longer holds, and is left out. */
  let posts = 0;
  let posting = 0;
  let loading = null;
  let next = null;
  const loadDesk = (address, chosen = false) => {
    if (!next?.chosen || chosen) next = { address, chosen };
    return loadNext();
  };
  const loadNext = () => {
    if (loading || posting || !next) return Promise.resolve();
    [loading, next] = [next, null];
    return window.htmx.ajax("GET", loading.address, { target: "#desk", swap: "outerHTML" }).finally(() => {
      loading = null;
      return loadNext();
    });
  };
  window.loadDesk = loadDesk;
  const isDesk = ({ target, requestConfig }, verb) => target?.id === "desk" && requestConfig?.verb === verb;
  document.addEventListener("htmx:beforeRequest", ({ detail }) => {
    if (isDesk(detail, "post")) [posts, posting] = [posts + 1, posting + 1];
    if (!isDesk(detail, "get")) return;
    const before = posts;
    /* On the desk that it was asked for: another may lie there by then. */
    detail.target.addEventListener("htmx:beforeSwap", (event) => {
      if (event.detail.xhr !== detail.xhr || posts === before) return;
      event.detail.shouldSwap = false;
      if (loading?.chosen || posting) next ??= loading;
    });
  });
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (!isDesk(detail, "post")) return;
    posting -= 1;
    if (detail.successful && !next?.chosen) next = null;
    loadNext();
  });

  /* The decided card is still there: it needed a choice, or the cards ahead had run out. */
  const advance = (card) => {
    card.dataset.sure = "yes";
    for (const panel of card.querySelectorAll("details.panel[open]")) panel.open = false;
    if (showFollowing(card, "")) return;
    loadDesk(`/?${filters()}`);
  };

  // A link that has just arrived may not be wired yet, and would load the whole page and lose what is selected.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("#desk a[hx-get]");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    loadDesk(link.getAttribute("hx-get"), true);
  }, true);

  // The second click of a double click falls on a card that nobody has read.
  document.addEventListener("click", (event) => {
    if (event.detail > 1 && event.target.closest("#open-card form.decide button")) event.preventDefault();
  }, true);

  document.addEventListener("submit", (event) => {
    const form = event.target;
    const button = event.submitter;
    if (!form.matches("#open-card form.decide") || !button || !DECIDES.has(button.value)) return;
    const card = form.closest(".card");
    event.preventDefault();
    event.stopImmediatePropagation();
    if (card.dataset.sent) return;
    card.dataset.sent = "yes";
    const { ref } = card.dataset;
    const body = new URLSearchParams(new FormData(form, button));
    for (const other of body.getAll("also")) decidedBeside(other.split(":")[0]);
    gone.add(ref);
    if (button.value === "promote" && card.dataset.slot) promoted.set(ref, card.dataset.slot);
    const job = { once: body.get("once"), url: form.getAttribute("action"), body: body.toString(), ref, at: Date.now() };
    showFollowing(card, button.value);
    window.outbox.add(job);
  }, true);

  const comesBack = (ref) => gone.delete(ref);

  /* A whole new desk tells what waits: what was undone meanwhile is no longer gone, unless its decision is still on its way. */
  const askDesk = () => {
    const parts = document.querySelectorAll("#desk .row, #desk [data-ref], #desk [data-similar]");
    for (const { dataset } of parts) {
      const ref = dataset.row || dataset.ref || dataset.similar;
      if (!window.outbox.has(ref)) gone.delete(ref);
    }
  };

  /* Decided together with the open card: it is not shown as the next one. */
  const decidedBeside = (ref) => {
    gone.add(ref);
    for (const one of waiting()) if (one.dataset.ref === ref) one.remove();
    window.progress.decided(ref);
  };

  document.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.verb === "post") window.outbox.freshToken(event.detail.formData);
  });

  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const { xhr, requestConfig } = event.detail;
    if (requestConfig.verb !== "post" || !window.outbox.isSignIn(xhr.getResponseHeader("HX-Redirect"))) return;
    event.preventDefault();
    signedOut("Nothing was saved, and what you typed is still here: sign in, then send it again.");
  });

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id !== "desk" && !(event.detail.target && event.detail.target.id === "desk")) return;
    tag = "";
    askDesk();
    reselect();
    noteShown();
    /* Whoever types in a filter goes on typing there: their next letter is no key of the card. */
    if (!document.activeElement?.closest("form.filters")) focusCard();
    fetchAhead();
    window.outbox.tell();
  });

  document.addEventListener("htmx:responseError", (event) => {
    const page = new DOMParser().parseFromString(event.detail.xhr.responseText, "text/html");
    const heading = page.querySelector(".problem-detail, h1");
    say(heading ? heading.textContent.trim() : "The server refused this.");
  });

  document.addEventListener("htmx:sendError", () => say("The server did not answer. Try again."));

  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) soon();
  });
  const left = window.outbox.start({ answered: take, signIn, holds: window.fresh.marks });
  for (const ref of left) gone.add(ref);
  const first = openCard();
  if (first && left.includes(first.dataset.ref)) {
    /* It was decided before this page was loaded, and is still on its way. */
    first.dataset.sent = "yes";
    showFollowing(first, "");
  }
  noteShown();
  within(EVERY_MS);
})();
