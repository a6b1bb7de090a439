/* Signs in before the key is let go: whoever opens a page right after pressing Enter is signed in there already, where a
   form's own navigation would be overtaken and its session lost. Whatever goes wrong, the form is sent as it is. */
"use strict";
(() => {
  const form = document.querySelector(".sign-in form");
  form.addEventListener("submit", (event) => {
    const request = new XMLHttpRequest();
    try {
      request.open("POST", form.action, false);
      request.send(new URLSearchParams(new FormData(form)));
    } catch {
      return;
    }
    const there = new URL(request.responseURL || form.action, window.location.href);
    if (request.status !== 200 || there.pathname === new URL(form.action).pathname) return;
    event.preventDefault();
    window.location.assign(there);
  });
})();
