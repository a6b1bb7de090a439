/* Forms that a passkey answers. `data-make` holds what one is made from; `data-sign` what one signs, where the field of the code is left
   empty. The answer goes along with the form. */
"use strict";
(() => {
  const faults = {
    NotAllowedError: "The browser gave no passkey: it was stopped, took too long, or there is none here.",
    InvalidStateError: "This device has a passkey for you already.",
    SecurityError: "The browser keeps no passkeys for this address: it needs a name, and HTTPS unless it is localhost.",
  };

  const made = async (json) => navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(json) });
  const signed = async (json) => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(json) });

  const answer = async (form) => {
    const { make, sign } = form.dataset;
    const passkey = make ? await made(JSON.parse(make)) : await signed(JSON.parse(sign));
    return JSON.stringify(passkey.toJSON());
  };

  for (const form of document.querySelectorAll("form[data-make], form[data-sign]")) {
    const { code, passkey } = form.elements;
    const fault = form.querySelector("[data-passkey-fault]");
    if (code) code.required = false;
    form.addEventListener("submit", async (event) => {
      const { submitter } = event;
      if (passkey.value || (code && code.value.trim()) || submitter.hasAttribute("data-without")) return;
      event.preventDefault();
      fault.hidden = true;
      try {
        passkey.value = await answer(form);
      } catch (error) {
        fault.textContent = faults[error.name] || "This browser is too old for passkeys here, or something went wrong: use a code.";
        fault.hidden = false;
        return;
      }
      form.requestSubmit(submitter);
    });
  }
})();
