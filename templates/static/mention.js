/* The picker of @item mentions: typing @ lists the items, arrows and Enter choose, Escape leaves. What it types is the token
   @item(id:name), which keeps its item whatever the item is called later. Without it, @name is resolved where it fits one. */
"use strict";
(() => {
  const items = [...document.querySelectorAll("#items option")].map((option) => ({
    id: option.value,
    name: option.textContent.trim(),
  }));
  if (!items.length) return;
  const list = document.createElement("ul");
  list.className = "mention-list";
  list.id = "mention-list";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Items");
  list.hidden = true;
  let field = null;
  let from = -1;
  let fits = [];
  let at = 0;

  const close = () => {
    list.hidden = true;
    from = -1;
    if (field) field.removeAttribute("aria-activedescendant");
  };

  const draw = () => {
    list.replaceChildren(
      ...fits.map((item, index) => {
        const option = document.createElement("li");
        option.setAttribute("role", "option");
        option.id = `mention-${index}`;
        option.setAttribute("aria-selected", String(index === at));
        option.textContent = fits.filter((one) => one.name === item.name).length > 1 ? `${item.name} (${item.id})` : item.name;
        option.addEventListener("mousedown", (event) => {
          event.preventDefault();
          at = index;
          choose();
        });
        return option;
      }),
    );
    field.setAttribute("aria-activedescendant", `mention-${at}`);
  };

  const choose = () => {
    const item = fits[at];
    const end = field.selectionStart;
    const token = `@item(${item.id}:${item.name.replace(/[()]/g, "")}) `;
    field.setRangeText(token, from, end, "end");
    close();
  };

  const look = (event) => {
    field = event.target;
    const before = field.value.slice(0, field.selectionStart);
    const found = /(?:^|[^\w@])@([^\n@()]{0,40})$/.exec(before);
    if (!found) return close();
    const typed = found[1].toLowerCase();
    fits = items.filter((item) => item.name.toLowerCase().startsWith(typed)).slice(0, 9);
    if (!fits.length) return close();
    from = before.length - found[1].length - 1;
    at = 0;
    field.after(list);
    list.hidden = false;
    draw();
  };

  for (const one of document.querySelectorAll("[data-mentions]")) {
    one.setAttribute("aria-autocomplete", "list");
    one.setAttribute("aria-controls", "mention-list");
    one.addEventListener("input", look);
    one.addEventListener("blur", close);
    one.addEventListener("keydown", (event) => {
      if (list.hidden || event.isComposing) return;
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        at = (at + (event.key === "ArrowDown" ? 1 : fits.length - 1)) % fits.length;
        draw();
      } else if (event.key === "Enter" || event.key === "Tab") {
        choose();
      } else if (event.key === "Escape") {
        close();
      } else {
        return;
      }
      event.preventDefault();
      event.stopPropagation();
    });
  }
  document.querySelector(".workspace").append(list);
})();
