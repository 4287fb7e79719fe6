"use strict";
(() => {
  const root = document.documentElement;
  const box = document.getElementById("find");
  const results = [...document.querySelectorAll(".result")];
  const filtered = [...results, ...document.querySelectorAll(".filtered")];
  const texts = new Map(filtered.map((one) => [one, one.textContent.toLowerCase()]));
  const sections = [...document.querySelectorAll(".stage")];
  const opened = new Map(sections.map((one) => [one, one.open]));
  let current = -1;

  const visible = () => results.filter((one) => {
    const around = one.closest("details");
    return !one.hidden && (around === null || (around.open && !around.hidden));
  });

  function show(one) {
    for (const other of document.querySelectorAll(".current")) other.classList.remove("current");
    if (one === undefined) return;
    one.classList.add("current");
    one.tabIndex = -1;
    one.focus({ preventScroll: true });
    one.scrollIntoView({ block: "nearest" });
    root.dataset.current = String(results.indexOf(one));
  }

  function move(by) {
    const ones = visible();
    const place = ones.indexOf(results[current]);
    const next = place < 0 ? (by > 0 ? 0 : ones.length - 1) : Math.min(Math.max(place + by, 0), ones.length - 1);
    current = results.indexOf(ones[next]);
    show(ones[next]);
  }

  function search(text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    for (const one of filtered) one.hidden = !words.every((word) => texts.get(one).includes(word));
    for (const one of sections) {
      const some = one.querySelector(".result:not([hidden]), .filtered:not([hidden])") !== null;
      one.hidden = words.length > 0 && !some;
      one.open = words.length > 0 ? some : opened.get(one);
    }
    const shown = results.filter((one) => !one.hidden).length;
    document.getElementById("found").textContent = words.length > 0 ? `${shown} of ${results.length}` : "";
    root.dataset.search = words.join(" ");
    root.dataset.shown = String(shown);
  }

  // A click on a cell of the matrix shows the obligation: its row, its property, and what it came to.
  const detail = document.getElementById("detail");

  function close() {
    if (detail === null) return;
    detail.hidden = true;
    document.body.classList.remove("open");
    for (const one of document.querySelectorAll(".matrix .on")) one.classList.remove("on");
  }

  function line(name, ...parts) {
    const one = document.createElement("p");
    const head = document.createElement("b");
    head.textContent = `${name} `;
    one.append(head, parts.filter(Boolean).join(" · "));
    return one;
  }

  function obligation(cell) {
    const table = cell.closest("table");
    const row = cell.parentElement.cells[0];
    const property = table.tHead.rows[0].cells[cell.cellIndex];
    const about = table.closest(".stage").querySelector(`.legend .${cell.classList[0]}`).nextSibling.textContent;
    close();
    cell.classList.add("on");
    document.getElementById("shown").replaceChildren(
      line(`${row.textContent} × ${property.textContent}`, about.replace(/:[^:]*$/, "").trim(), cell.title),
      line("row", row.title, row.dataset.why),
      line("claim", property.title),
    );
    detail.hidden = false;
    document.body.classList.add("open");
    root.dataset.obligation = `${row.textContent} ${property.textContent}`;
  }

  for (const one of document.querySelectorAll(".matrix")) {
    one.addEventListener("click", (event) => {
      if (event.target.tagName === "TD") obligation(event.target);
    });
  }
  if (detail !== null) document.getElementById("close").addEventListener("click", close);

  // A link that ends with #find=WORDS shows what was found.
  function linked() {
    const asked = /^#find=(.*)$/.exec(location.hash);
    if (asked === null) return;
    try { box.value = decodeURIComponent(asked[1]); } catch { box.value = asked[1]; }
    search(box.value);
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      box.value = "";
      box.blur();
      close();
      search("");
    } else if (event.target === box) {
      return;
    } else if (event.key === "/") {
      event.preventDefault();
      box.focus();
      box.select();
    } else if (event.key === "j" || event.key === "k") {
      move(event.key === "j" ? 1 : -1);
    } else if (event.key === "o" && current >= 0) {
      for (const one of results[current].querySelectorAll("details")) one.open = !one.open;
    }
  });
  box.addEventListener("input", () => search(box.value));
  document.getElementById("finder").addEventListener("submit", (event) => event.preventDefault());
  window.addEventListener("hashchange", linked);
  document.getElementById("finder").hidden = false;
  document.getElementById("keys").hidden = false;
  root.dataset.script = "on";
  linked();
})();
