/* Decisions on their way. They go out one after the other, however fast the keys are, and each is kept in this browser until
   the server has answered: without a network, over a reload or a closed tab nothing is lost. Each carries a word of its own,
   by which the server knows one that it has carried out already, so that nothing is doubled. */
"use strict";
window.outbox = (() => {
  const PREFIX = "outbox:";
  const FIRST_MS = 1000;
  const LONGEST_MS = 20000;
  const KEEPALIVE_MOST = 60000;
  const user = document.body.dataset.user || "";
  const toast = () => document.getElementById("toast");

  const line = [];
  let busy = false;
  let signedOut = false;
  let tries = 0;
  let timer = 0;
  let answered = () => {};
  let signIn = () => {};
  let holds = () => "";

  const nameOf = (job) => `${PREFIX}${user}:${job.once}`;
  const keep = (job) => {
    try {
      window.localStorage.setItem(nameOf(job), JSON.stringify(job));
    } catch {
      /* A full or forbidden store: the decision is still sent, it only does not outlive the page. */
    }
  };
  const forget = (job) => {
    try {
      window.localStorage.removeItem(nameOf(job));
    } catch {
      /* Nothing was kept either. */
    }
  };
  const kept = () => {
    const found = [];
    try {
      for (const name of Object.keys(window.localStorage)) {
        if (user && name.startsWith(`${PREFIX}${user}:`)) found.push(JSON.parse(window.localStorage.getItem(name)));
      }
    } catch {
      return [];
    }
    return found.filter((job) => job && job.once && job.url && job.ref).sort((one, other) => one.at - other.at);
  };

  /* A line in the toasts that stays until everything is sent. */
  const tell = () => {
    const old = toast().querySelector("[data-keep=outbox]");
    const count = line.length;
    if (!tries || !count || signedOut) {
      if (old) old.remove();
      return;
    }
    const what = count === 1 ? `1 decision (${line[0].ref}) waits` : `${count} decisions wait`;
    const why = navigator.onLine ? "The server does not answer" : "Offline";
    const words = `${why}: ${what} in this browser and ${count === 1 ? "is" : "are"} sent as soon as it can be.`;
    if (old) {
      const text = old.querySelector("p");
      if (text.textContent !== words) text.textContent = words;
      return;
    }
    const box = document.createElement("div");
    box.className = "toast-line";
    box.dataset.level = "warning";
    box.dataset.keep = "outbox";
    const text = document.createElement("p");
    text.textContent = words;
    const again = document.createElement("button");
    again.type = "button";
    again.dataset.action = "send-now";
    again.textContent = "Try now";
    again.addEventListener("click", () => now());
    box.append(text, again);
    toast().append(box);
  };

  const freshToken = (data) => {
    const found = /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie);
    if (found) data.set("csrfmiddlewaretoken", found[1]);
    /* The token may be another's by now, who signed in here meanwhile: the server is told whose page this is. */
    if (user) data.set("reader", user);
  };
  const isSignIn = (address) => Boolean(address) && new URL(address, window.location.href).pathname === "/login/";

  const later = () => {
    tries += 1;
    window.clearTimeout(timer);
    timer = window.setTimeout(send, Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1)));
  };

  const send = () => {
    window.clearTimeout(timer);
    if (busy || !line.length || signedOut) return;
    busy = true;
    const job = line[0];
    const body = new URLSearchParams(job.body);
    freshToken(body);
    body.set("mine", holds());
    let done = false;
    fetch(job.url, {
      method: "POST",
      body,
      headers: { "HX-Request": "true", "X-Requested-With": "desk" },
      credentials: "same-origin",
      keepalive: body.toString().length < KEEPALIVE_MOST,
      redirect: "follow",
    })
      .then(async (response) => {
        /* A proxy without its server, or a server that asks for patience: the decision waits. */
        if ([429, 502, 503, 504].includes(response.status)) throw new Error(String(response.status));
        const goto = response.headers.get("HX-Redirect");
        const html = await response.text();
        tries = 0;
        const left =
          response.status === 403 && !new DOMParser().parseFromString(html, "text/html").querySelector(".top");
        if (isSignIn(goto) || left) {
          signedOut = true;
          signIn(job, line.length);
          return;
        }
        line.shift();
        forget(job);
        done = true;
        if (goto) {
          window.location.assign(goto);
          return;
        }
        if (response.status < 400) document.dispatchEvent(new CustomEvent("decided", { detail: job }));
        answered(html, response.status, job);
      })
      .catch(() => {
        if (!done) later();
      })
      .finally(() => {
        busy = false;
        tell();
        if (done) send();
      });
  };

  const now = () => {
    signedOut = false;
    send();
  };

  window.addEventListener("online", now);
  window.addEventListener("offline", tell);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && (tries || signedOut)) now();
  });
  window.addEventListener("beforeunload", (event) => {
    if (line.length && tries) event.preventDefault();
  });

  return {
    /* What an earlier page left behind goes first. */
    start(hooks) {
      answered = hooks.answered || answered;
      signIn = hooks.signIn || signIn;
      holds = hooks.holds || holds;
      line.push(...kept());
      if (line.length) window.setTimeout(send, 0);
      return line.map((job) => job.ref);
    },
    add(job) {
      line.push(job);
      keep(job);
      send();
      tell();
    },
    now,
    tell,
    freshToken,
    isSignIn,
    /* Whether a decision about this one is still on its way. */
    has: (ref) => line.some((job) => job.ref === ref || job.body.includes(`also=${ref}%3A`)),
    get waiting() {
      return line.length;
    },
    get idle() {
      return !busy && !line.length;
    },
  };
})();

/* On every other page what waits is sent too. */
document.addEventListener("DOMContentLoaded", () => {
  if (!document.getElementById("desk") && document.body.dataset.user) window.outbox.start({});
});
