/* Files and folders that are dropped or chosen are sent in parts of one wave, with progress; its page opens with the last of them.
   Without this the form sends what its field holds. */
"use strict";
(() => {
  const form = document.querySelector("form[data-drop]");
  if (!form) return;
  const zone = form.querySelector("[data-zone]");
  const plain = form.querySelector("input[name=files]");
  const folder = form.querySelector("[data-folder]");
  const chosen = form.querySelector("[data-chosen]");
  const progress = form.querySelector("[data-progress]");
  const bar = progress.querySelector("progress");
  const said = progress.querySelector("[data-said]");
  const skipped = form.querySelector("[data-skipped]");
  const button = form.querySelector("[data-action=drop]");
  folder.closest("label").hidden = false;

  let files = [];
  const megabytes = (bytes) => `${(bytes / 1048576).toFixed(1)} MB`;
  const sizeOf = (some) => some.reduce((sum, one) => sum + one.file.size, 0);
  const take = (more) => {
    const known = new Set(files.map((one) => one.path));
    files.push(...more.filter((one) => !known.has(one.path) && !/(^|[/])[.]/.test(one.path)));
    chosen.textContent = files.length ? `${files.length} file${files.length === 1 ? "" : "s"}, ${megabytes(sizeOf(files))}` : "";
  };
  for (const input of [plain, folder]) {
    input.addEventListener("change", () => {
      take([...input.files].map((file) => ({ file, path: file.webkitRelativePath || file.name })));
      if (input === folder) input.value = "";
    });
  }

  /* A folder that is dropped comes as a tree, some hundred names at a time. */
  const readAll = async (entry, path) => {
    if (entry.isFile) return [{ file: await new Promise((done, fail) => entry.file(done, fail)), path: path + entry.name }];
    const reader = entry.createReader();
    const found = [];
    for (;;) {
      const some = await new Promise((done, fail) => reader.readEntries(done, fail));
      if (!some.length) return found;
      for (const one of some) found.push(...(await readAll(one, `${path}${entry.name}/`)));
    }
  };
  zone.addEventListener("dragover", (event) => {
    event.preventDefault();
    zone.dataset.over = "yes";
  });
  zone.addEventListener("dragleave", () => delete zone.dataset.over);
  zone.addEventListener("drop", async (event) => {
    event.preventDefault();
    delete zone.dataset.over;
    const entries = [...event.dataTransfer.items].map((one) => one.webkitGetAsEntry && one.webkitGetAsEntry()).filter(Boolean);
    for (const entry of entries) take(await readAll(entry, ""));
  });

  /* In the order of their names, so that what belongs together goes together. */
  const parts = () => {
    const [mostBytes, mostFiles] = [Number(form.dataset.partBytes), Number(form.dataset.partFiles)];
    const all = [...files].sort((one, other) => (one.path < other.path ? -1 : 1));
    const cut = [[]];
    for (const one of all) {
      const last = cut[cut.length - 1];
      if (last.length && (last.length >= mostFiles || sizeOf(last) + one.file.size > mostBytes)) cut.push([one]);
      else last.push(one);
    }
    return cut;
  };
  const sendPart = (part, more, sentBefore, total) =>
    new Promise((done, fail) => {
      const body = new FormData();
      for (const name of ["csrfmiddlewaretoken", "scope", "new_scope"]) if (form.elements[name]) body.set(name, form.elements[name].value);
      for (const box of form.querySelectorAll("input[name=packs]:checked")) body.append("packs", box.value);
      for (const [name, value] of Object.entries(more)) body.set(name, value);
      body.set("action", "drop");
      for (const one of part) {
        body.append("files", one.file, one.file.name);
        body.append("paths", one.path);
      }
      const request = new XMLHttpRequest();
      request.open("POST", form.getAttribute("action"));
      request.setRequestHeader("Accept", "application/json");
      request.responseType = "json";
      request.upload.addEventListener("progress", (event) => {
        bar.value = Math.min(1, (sentBefore + event.loaded) / Math.max(1, total));
        said.textContent = bar.value < 1 ? `${megabytes(sentBefore + event.loaded)} of ${megabytes(total)} sent` : "Sent. Taking it in…";
      });
      request.addEventListener("load", () => {
        if (request.status === 200 && request.response) done(request.response);
        else fail(new Error((request.response && request.response.error) || `the server answered ${request.status}`));
      });
      request.addEventListener("error", () => fail(new Error("the server did not answer")));
      request.send(body);
    });
  const name = (words) => {
    const line = document.createElement("li");
    line.textContent = words;
    skipped.append(line);
    skipped.hidden = false;
  };

  form.addEventListener("submit", async (event) => {
    if (!files.length) return;
    event.preventDefault();
    button.disabled = true;
    progress.hidden = false;
    const total = sizeOf(files);
    let [sent, more, last, kept, known] = [0, { label: files[0].path.split("/")[0] }, null, 0, 0];
    try {
      for (const part of parts()) {
        last = await sendPart(part, more, sent, total);
        sent += sizeOf(part);
        kept += last.sources;
        known += last.duplicates;
        more = { ...more, scope: last.scope, new_scope: "", ...(last.wave ? { wave: last.wave } : {}) };
        for (const one of last.skipped) name(`${one.path} was passed over: ${one.why}`);
      }
      said.textContent = `${kept} text${kept === 1 ? "" : "s"} taken in${known ? `, ${known} known before` : ""}.`;
      bar.value = 1;
      if (more.wave) window.location.assign(last.page);
      else button.disabled = false;
    } catch (error) {
      said.textContent = `Not sent: ${error.message}. What was taken in stays; sending it again adds nothing twice.`;
      button.disabled = false;
    }
  });
})();
