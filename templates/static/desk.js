/* The next cards are already there: a decision that needs no choice shows the next at once and is saved meanwhile, one
   after the other. What the server refuses comes back. */
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
    toast().replaceChildren(line);
  };

  const showFollowing = (card) => {
    const template = document.querySelector("#desk template.ahead");
    const place = document.getElementById("open-card");
    if (!template || !place || !card.isConnected || card.dataset.sure !== "yes") return false;
    if (card.querySelector("details.panel[open]")) return false;
    place.replaceChildren(template.content.cloneNode(true));
    template.remove();
    const row = desk().querySelector(".row[aria-current]");
    if (row) {
      row.removeAttribute("aria-current");
      row.classList.add("decided");
      const next = row.nextElementSibling;
      if (next) next.setAttribute("aria-current", "true");
    }
    window.htmx.process(place);
    focusCard();
    return true;
  };

  /* What is selected stays selected while the list is renewed. */
  const selected = new Set();
  document.addEventListener("change", (event) => {
    if (event.target.name !== "refs") return;
    if (event.target.checked) selected.add(event.target.value);
    else selected.delete(event.target.value);
  });
  const reselect = () => {
    for (const box of document.querySelectorAll("#desk input[name=refs]")) box.checked = selected.has(box.value);
  };

  const focusCard = () => {
    const heading = document.querySelector("#open-card .statement");
    if (heading) heading.focus({ preventScroll: true });
    window.scrollTo({ top: 0, behavior: "instant" });
  };

  /* Signing in happens beside this page, so that what was typed here stays. It makes a new form token: the cookie has it. */
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
  const isSignIn = (address) => Boolean(address) && new URL(address, window.location.href).pathname === "/login/";
  const freshToken = (data) => {
    const found = /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie);
    if (found) data.set("csrfmiddlewaretoken", found[1]);
  };

  /* Decisions go out one after the other, however fast the keys are: each says where the list goes on. */
  const line = [];
  let busy = false;
  const send = () => {
    if (busy || !line.length) return;
    busy = true;
    let waits = false;
    const job = line.shift();
    const { form, body, ref } = job;
    freshToken(body);
    fetch(form, {
      method: "POST",
      body,
      headers: { "HX-Request": "true", "X-Requested-With": "desk" },
      credentials: "same-origin",
      keepalive: true,
      redirect: "follow",
    })
      .then(async (response) => {
        const goto = response.headers.get("HX-Redirect");
        const html = await response.text();
        const left = response.status === 403 && !new DOMParser().parseFromString(html, "text/html").querySelector(".top");
        if (isSignIn(goto) || left) {
          waits = true;
          line.unshift(job);
          const others = line.length > 1 ? " and " + (line.length - 1) + " more are" : " is";
          signedOut(ref + others + " not saved yet; nothing you typed is lost.", send);
          return;
        }
        if (goto) {
          window.location.assign(goto);
          return;
        }
        take(html, response.status, ref);
      })
      .catch(() => say(ref + " was not saved: the server did not answer. Try again.", ref))
      .finally(() => {
        busy = false;
        if (!waits) send();
      });
  };

  const take = (html, status, ref) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    const fresh = page.getElementById("desk");
    if (status >= 400 && !fresh) {
      const heading = page.querySelector(".problem-detail, h1");
      say(ref + ": " + (heading ? heading.textContent.trim() : "the server refused this"), ref);
      return;
    }
    if (status >= 400 && line.length) {
      const why = page.querySelector(".refusal p");
      say(ref + ": " + (why ? why.textContent.trim().replace(/\s+/g, " ") : "not decided"), ref);
      return;
    }
    for (const piece of page.querySelectorAll("[hx-swap-oob]")) {
      const target = document.getElementById(piece.id);
      if (target) {
        target.replaceChildren(...piece.childNodes);
        window.htmx.process(target);
      }
    }
    if (line.length) return;
    const open = document.querySelector("#open-card .card");
    const next = fresh.querySelector("#open-card .card");
    const same = open && next && open.dataset.ref === next.dataset.ref && status < 400;
    /* The card that is already being read, or written in, stays as it is. */
    if (same) fresh.querySelector("#open-card").replaceWith(document.getElementById("open-card"));
    desk().replaceWith(fresh);
    reselect();
    if (!same) {
      window.htmx.process(fresh);
      focusCard();
    } else {
      for (const part of fresh.children) if (part.id !== "open-card") window.htmx.process(part);
    }
  };

  // The second click of a double click falls on a card that nobody has read.
  document.addEventListener("click", (event) => {
    if (event.detail > 1 && event.target.closest("#open-card form.decide button")) event.preventDefault();
  }, true);

  document.addEventListener("submit", (event) => {
    const form = event.target;
    const button = event.submitter;
    if (!form.matches("#open-card form.decide") || !button || !DECIDES.has(button.value)) return;
    const card = form.closest(".card");
    if (card.dataset.sent) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    card.dataset.sent = "yes";
    const body = new URLSearchParams(new FormData(form, button));
    line.push({ form: form.getAttribute("action"), body, ref: card.dataset.ref });
    showFollowing(card);
    send();
  }, true);

  document.addEventListener("htmx:configRequest", (event) => {
    if (event.detail.verb === "post") freshToken(event.detail.formData);
  });

  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const { xhr, requestConfig } = event.detail;
    if (requestConfig.verb !== "post" || !isSignIn(xhr.getResponseHeader("HX-Redirect"))) return;
    event.preventDefault();
    signedOut("Nothing was saved, and what you typed is still here: sign in, then send it again.");
  });

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id !== "desk" && !(event.detail.target && event.detail.target.id === "desk")) return;
    reselect();
    focusCard();
  });

  document.addEventListener("htmx:responseError", (event) => {
    const page = new DOMParser().parseFromString(event.detail.xhr.responseText, "text/html");
    const heading = page.querySelector(".problem-detail, h1");
    say(heading ? heading.textContent.trim() : "The server refused this.");
  });

  document.addEventListener("htmx:sendError", () => say("The server did not answer. Try again."));

  window.addEventListener("beforeunload", (event) => {
    if (line.length) event.preventDefault();
  });
})();
