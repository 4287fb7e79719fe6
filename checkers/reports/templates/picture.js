"use strict";
(() => {
  const root = document.documentElement;
  const picture = document.querySelector(".picture");
  const track = picture.querySelector(".axis .track");
  const detail = document.getElementById("detail");
  const events = [...document.querySelectorAll(".ev")];
  const places = new Map(events.map((one, at) => [one.id, at]));
  const MOST = 512;
  let zoom = 1, current = -1;

  const label = () => picture.querySelector(".name").offsetWidth;
  const seen = () => picture.clientWidth - label();

  // Show a part of the picture, which begins at a fraction of it.
  function scale(to, begin) {
    zoom = Math.min(MOST, Math.max(1, to));
    picture.style.setProperty("--zoom", String(zoom));
    picture.dataset.zoom = zoom >= 64 ? "64" : zoom >= 8 ? "8" : "1";
    picture.scrollLeft = begin * track.offsetWidth;
    root.dataset.scale = String(zoom);
  }

  // Zoom about a place of the window, its middle if none is given.
  function by(factor, at = seen() / 2) {
    if (factor === 0) return scale(1, 0);
    const middle = (picture.scrollLeft + at) / track.offsetWidth;
    const to = Math.min(MOST, Math.max(1, zoom * factor));
    scale(to, middle - at / (track.offsetWidth * to / zoom));
  }

  function show(id, follow) {
    current = places.get(id) ?? -1;
    if (current < 0) return;
    const one = events[current].cloneNode(true);
    one.removeAttribute("id");
    for (const each of one.querySelectorAll("details")) each.open = true;
    document.getElementById("shown").replaceChildren(one);
    detail.hidden = false;
    document.body.classList.add("open");
    root.dataset.event = id;
    for (const each of picture.querySelectorAll(".on")) each.classList.remove("on");
    const marks = picture.querySelectorAll(`[href="#${id}"]`);
    for (const each of marks) each.classList.add("on");
    if (follow && marks.length > 0) picture.scrollLeft = marks[0].offsetLeft - seen() / 2;
  }

  function close() {
    detail.hidden = true;
    document.body.classList.remove("open");
    for (const each of picture.querySelectorAll(".on")) each.classList.remove("on");
  }

  picture.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (link === null) return;
    event.preventDefault();
    show(link.hash.slice(1), false);
  });
  document.getElementById("close").addEventListener("click", close);
  for (const one of document.querySelectorAll("#zoom button")) one.addEventListener("click", () => by(Number(one.dataset.by)));
  document.getElementById("zoom").addEventListener("submit", (event) => event.preventDefault());

  picture.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    by(event.deltaY < 0 ? 1.5 : 1 / 1.5, event.clientX - picture.getBoundingClientRect().left - label());
  }, { passive: false });

  // Drag over the axis: what is marked fills the picture.
  let drag = null, from = 0;
  const place = (event) => Math.min(track.offsetWidth, Math.max(0, event.clientX - track.getBoundingClientRect().left));
  track.addEventListener("pointerdown", (event) => {
    from = place(event);
    drag = document.createElement("i");
    drag.className = "drag";
    track.append(drag);
    track.setPointerCapture(event.pointerId);
  });
  track.addEventListener("pointermove", (event) => {
    if (drag === null) return;
    const to = place(event);
    drag.style.left = `${Math.min(from, to)}px`;
    drag.style.width = `${Math.abs(to - from)}px`;
  });
  track.addEventListener("pointerup", (event) => {
    if (drag === null) return;
    drag.remove();
    drag = null;
    const to = place(event), width = Math.abs(to - from);
    if (width > 4) scale(zoom * seen() / width, Math.min(from, to) / track.offsetWidth);
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { j: 1, k: -1 }[event.key];
    if (event.key === "Escape") close();
    else if (step !== undefined && events.length > 0) {
      const next = current < 0 && step < 0 ? events.length - 1 : current + step;
      show(events[Math.min(events.length - 1, Math.max(0, next))].id, true);
    } else if (event.key === "+" || event.key === "=") by(2);
    else if (event.key === "-") by(0.5);
    else if (event.key === "0") by(0);
  });
  document.getElementById("zoom").hidden = false;
  document.getElementById("keys").hidden = false;
  root.dataset.script = "on";
  if (places.has(location.hash.slice(1))) show(location.hash.slice(1), true);
})();
