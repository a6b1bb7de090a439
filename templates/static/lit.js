/* A quote whose place lies below the edge of the box that shows it: the box is scrolled to it, and the page is left where it is. */
"use strict";
window.lit = {
  show: (part) => {
    for (const text of part.querySelectorAll(".source .source-text")) {
      const mark = text.querySelector("mark");
      if (!mark) continue;
      const below = mark.getBoundingClientRect().top - text.getBoundingClientRect().top;
      if (below + mark.offsetHeight > text.clientHeight) text.scrollTop += below - text.clientHeight / 3;
    }
  },
};
window.lit.show(document);
