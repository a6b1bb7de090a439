/* What a card would meet is compared anew after every decision, one's own or another's: the page says which comparisons it
   shows, and the server sends those that came out differently. What is typed, chosen or read on the open card stays. */
"use strict";
window.fresh = (() => {
  const openCard = () => document.querySelector("#open-card .card");
  const ahead = () => [...document.querySelectorAll("#desk template.ahead")];
  const cards = () => [openCard(), ...ahead().map((one) => one.content.querySelector(".card"))].filter(Boolean);
  const PARTS = [".preview", ".value-group", ".similar", ".badge-outcome"];

  const put = (card, newer, part) => {
    const [old, now] = [card.querySelector(part), newer.querySelector(part)];
    if (old && now) old.replaceWith(now);
    else if (old) old.remove();
    else if (now && (part === ".preview" || part === ".value-group")) card.querySelector(".origin").before(now);
    else if (now && part === ".badge-outcome") card.querySelector(".tags .scope").after(" ", now);
  };

  const renewOpen = (card, newer) => {
    const similar = card.querySelectorAll(".similar input:checked").length ? [".similar"] : [];
    for (const part of PARTS.filter((one) => !similar.includes(one))) put(card, newer, part);
    for (const name of ["mark", "sure"]) card.dataset[name] = newer.dataset[name];
    /* A key that comes as something appears that stands against the card was meant for the card without it. */
    if (newer.querySelector(".preview-conflict, .preview-supersedes")) {
      delete card.dataset.shownAt;
      card.dataset.renewed = "yes";
    }
    window.htmx.process(card);
  };

  return {
    /* `REF.MARK,REF.MARK` of the open card and of those ahead. */
    marks: () => cards().map(({ dataset }) => `${dataset.ref}.${dataset.mark}`).join(","),
    /* Puts the newer ones of an answer in place of those that are held; says whether the open card is among them. */
    take(page) {
      let open = false;
      for (const newer of page.querySelectorAll("template.ahead")) {
        const { ref } = newer.dataset;
        const card = openCard();
        const held = ahead().find((one) => one.dataset.ref === ref);
        if (held) held.replaceWith(document.adoptNode(newer));
        else if (card && card.dataset.ref === ref) {
          renewOpen(card, newer.content.querySelector(".card"));
          open = true;
        }
      }
      return open;
    },
  };
})();
