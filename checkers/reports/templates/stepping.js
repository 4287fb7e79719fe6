(() => {
  const at = (id) => document.getElementById(id);
  const packed = at("step-data");
  if (packed === null) return;
  let graph = null;
  let previous = null; // the state that the page showed before, and the step from there, for what changed

  const element = (name, text, kind) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (kind !== undefined) made.className = kind;
    return made;
  };

  async function unpack(text) {
    const bytes = Uint8Array.from(atob(text.trim()), (one) => one.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const whole = await new Response(stream).arrayBuffer();
    const length = new DataView(whole).getUint32(0, true);
    const head = JSON.parse(new TextDecoder().decode(new Uint8Array(whole, 4, length)));
    const columns = {};
    for (const [name, [width, begin, count]] of Object.entries(head.columns)) {
      const kind = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array }[width];
      columns[name] = new kind(whole, 4 + length + begin, count);
    }
    const places = new Map(head.cells.map((cell, place) => [cell.name, place]));
    const runs = new Map(head.paths.map((path) => [path.id, path]));
    return { ...head, columns, places, runs, shows: new Map(Object.entries(head.shows)), witnesses: new Set(head.witnessed) };
  }

  // What is in the data.
  const valueOf = (place, state) => {
    const cell = graph.cells[place];
    return cell.values.length === 1 ? cell.values[0] : cell.values[graph.columns[`cell ${place}`][state]];
  };
  const binding = (row, code) => row.values.map((some, n) => some[Math.floor(code / row.weights[n]) % some.length]);
  const bound = (row, values) => row.params.map((name, n) => `${name}=${values[n]}`).join(", ");
  const stepsOf = (state) => {
    const found = [];
    for (let n = graph.columns.first[state]; n < graph.columns.first[state + 1]; n += 1) {
      const row = graph.rows[graph.columns.row[n]];
      found.push({ row, values: binding(row, graph.columns.code[n]), target: graph.columns.target[n] + graph.outside });
    }
    return found;
  };
  const reach = (place, state) => {
    const { reaches } = graph.rows[place];
    return reaches[reaches.length === 1 ? 0 : graph.columns[`reach ${place}`][state]];
  };
  const changes = (from, to) => {
    const found = [];
    for (let place = 0; place < graph.cells.length; place += 1) {
      const [old, fresh] = [valueOf(place, from), valueOf(place, to)];
      if (old !== fresh) found.push(`${graph.cells[place].name}: ${old} → ${fresh}`);
    }
    return found;
  };

  // Where the page is: a state, or a step of the run of a property.
  function asked() {
    const words = new URLSearchParams(location.hash.slice(1));
    const path = graph.runs.get(words.get("run") ?? "");
    if (path !== undefined) {
      const step = Math.min(Math.max(Number.parseInt(words.get("step") ?? "0", 10) || 0, 0), path.states.length - 1);
      return { state: path.states[step], path, step };
    }
    const state = Number.parseInt(words.get("state") ?? "", 10);
    return state >= 0 && state < graph.states ? { state, path: undefined, step: 0 } : undefined;
  }

  function unmetText(row, [deep, code], state) {
    const conjunct = row.guard[deep];
    const values = binding(row, code);
    const under = conjunct.known.map((n) => `${row.params[n]}=${values[n]}`).join(", ");
    const every = conjunct.every.length > 0 ? ` for every ${conjunct.every.join(", ")}` : "";
    const cells = [];
    for (const [name, keys] of conjunct.reads) {
      if (keys.every((key) => typeof key === "string" || conjunct.known.includes(key))) {
        const cell = keys.length > 0 ? `${name}[${keys.map((key) => (typeof key === "string" ? key : values[key])).join(", ")}]` : name;
        if (graph.places.has(cell)) cells.push(`${cell} = ${valueOf(graph.places.get(cell), state)}`);
      }
    }
    const where = cells.length > 0 ? `, where ${cells.join(", ")}` : "";
    const more = row.guard.length > 1 ? ` (condition ${deep + 1} of ${row.guard.length})` : "";
    return { name: `${row.id} ${row.event}(${under})`, conjunct: conjunct.text, rest: ` is false${every}${where}${more}` };
  }

  function show() {
    const here = asked();
    if (here === undefined) return;
    const { state, path, step } = here;
    const from = path !== undefined && step > 0 ? path.states[step - 1] : path === undefined ? previous : null;
    at("step-where").textContent = `State ${state} of ${graph.states.toLocaleString("en")}` +
      (state < graph.initial ? ", an initial state" : "") +
      (path !== undefined ? `; step ${step} of ${path.states.length - 1} of the run of ${path.id}, ${path.verdict}` : "");
    const shown = [...graph.shows].filter(([, states]) => states.includes(state)).map(([id]) => id);
    const ofStep = path !== undefined && step === path.steps.length && !path.inside && path.loop === null
      && path.verdict === "violated" && !shown.includes(path.id) ? [path.id] : [];
    const told = [[shown.filter((id) => !graph.witnesses.has(id)), "false here: "], [ofStep, "false of the step to here: "], [shown.filter((id) => graph.witnesses.has(id)), "witnessed here: "]];
    at("step-shows").textContent = told.filter(([ids]) => ids.length > 0).map(([ids, word]) => word + ids.join(", ")).join("; ");
    at("step-shows").className = told[0][0].length + ofStep.length > 0 ? "bad" : "facts";
    showPath(path, step);
    showState(state, from);
    showRows(state, path, step);
    at("step-run").value = path === undefined ? "" : path.id;
    at("step-number").value = String(state);
    at("step-link").href = `#state=${state}`;
    document.documentElement.dataset.state = String(state);
    previous = state;
  }

  function showPath(path, step) {
    const box = at("step-path");
    box.replaceChildren();
    const line = element("ol");
    const add = (text, link, isHere) => {
      const item = element("li", undefined, isHere ? "here" : "");
      const made = element("a", text);
      made.href = link;
      if (isHere) made.setAttribute("aria-current", "step");
      item.append(made);
      line.append(item);
    };
    if (path !== undefined) {
      path.states.forEach((_, n) => add(n === 0 ? "start" : `${n}. ${path.steps[n - 1][0]}`, `#run=${encodeURIComponent(path.id)}&step=${n}`, n === step));
      box.append(line);
      if (path.inside) box.append(element("p", `The run ends in the middle of the records of ${path.inside}, which is enabled in its last state.`, "note"));
      if (path.loop !== null) box.append(element("p", `From step ${path.loop} on the run repeats for ever.`, "note"));
      return;
    }
    // A shortest run to a state that no run leads to: the steps by which it was found first.
    const found = [];
    let one = Number(asked().state);
    while (graph.columns.parent[one] > 0) {
      found.push([graph.rows[graph.columns["parent row"][one] - 1].id, one]);
      one = graph.columns.parent[one] - 1;
    }
    found.push(["start", one]);
    const details = element("details");
    details.append(element("summary", `a shortest run to here: ${found.length - 1} rows`));
    found.reverse().forEach(([text, number], n) => add(n === 0 ? text : `${n}. ${text}`, `#state=${number}`, n === found.length - 1));
    details.append(line);
    box.append(details);
  }

  function showState(state, from) {
    const every = at("step-all").checked;
    const body = at("step-state").tBodies[0];
    body.replaceChildren();
    graph.cells.forEach((cell, place) => {
      const value = valueOf(place, state);
      const old = from === null || from === undefined ? value : valueOf(place, from);
      if (!every && old === value && (value === cell.begins || cell.values.length === 1)) return;
      const line = element("tr", undefined, old === value ? "" : "changed");
      line.append(element("th", cell.name));
      const last = element("td");
      if (old !== value) last.append(element("del", old), " → ", element("ins", value));
      else last.textContent = value;
      line.append(last);
      body.append(line);
    });
    if (body.rows.length === 0) {
      const line = element("tr");
      line.append(element("td", "every cell that some state changes is at its initial value"));
      body.append(line);
    }
  }

  function showRows(state, path, step) {
    const steps = stepsOf(state);
    const next = path !== undefined && step + 1 < path.states.length ? path.states[step + 1] : null;
    const list = at("step-enabled");
    list.replaceChildren();
    for (const one of steps) {
      const given = bound(one.row, one.values);
      const isNext = next !== null && one.target === next && path.steps[step][0] === one.row.id && path.steps[step][1] === given;
      const item = element("li", undefined, isNext ? "next" : "");
      const button = element("button", `${one.row.id} ${one.row.event}(${given})`);
      button.type = "button";
      button.disabled = one.target < 0;
      button.addEventListener("click", () => {
        location.hash = isNext ? `run=${encodeURIComponent(path.id)}&step=${step + 1}` : `state=${one.target}`;
      });
      const told = one.target === -1 ? "would leave a range of the bound"
        : one.target === -2 ? "has no meaning here: a stage writes a cell twice"
        : changes(state, one.target).join("; ") || "changes nothing here";
      item.append(button, " ", element("span", told, "facts"));
      list.append(item);
    }
    if (steps.length === 0) list.append(element("li", "no row that changes anything is enabled here"));
    const enabled = new Set(steps.map((one) => one.row));
    const unmet = at("step-unmet");
    unmet.replaceChildren();
    const still = [];
    graph.rows.forEach((row, place) => {
      if (enabled.has(row)) return;
      const found = reach(place, state);
      if (found[0] === row.guard.length) {
        still.push(row.id);
        return;
      }
      const told = unmetText(row, found, state);
      const item = element("li");
      item.append(element("b", told.name), ": ", element("code", told.conjunct, "conjunct"), told.rest);
      unmet.append(item);
    });
    at("step-still").textContent = still.length > 0 ? `enabled and without effect: ${still.join(", ")}` : "";
  }

  async function begin() {
    if (typeof DecompressionStream === "undefined") {
      at("step-waits").textContent = "This browser cannot unpack the states (it has no DecompressionStream); open the page in a newer one.";
      return;
    }
    graph = await unpack(packed.textContent);
    for (const path of graph.paths) {
      const option = element("option", `${path.id}, ${path.verdict} (${path.states.length - 1} rows)`);
      option.value = path.id;
      at("step-run").append(option);
    }
    at("step-runs").hidden = graph.paths.length === 0;
    at("step-back").addEventListener("click", () => history.back());
    at("step-start").addEventListener("click", () => { location.hash = "state=0"; });
    at("step-to").addEventListener("submit", (event) => {
      event.preventDefault();
      location.hash = `state=${at("step-number").value.trim()}`;
    });
    at("step-run").addEventListener("change", () => {
      const id = at("step-run").value;
      location.hash = id === "" ? `state=${asked().state}` : `run=${encodeURIComponent(id)}&step=0`;
    });
    at("step-all").addEventListener("change", () => {
      previous = null;
      show();
    });
    window.addEventListener("hashchange", show);
    at("step-waits").hidden = true;
    at("step-page").hidden = false;
    if (asked() === undefined) history.replaceState(null, "", "#state=0");
    else at("stepping").scrollIntoView();
    show();
    document.documentElement.dataset.stepping = "on";
  }
  begin();
})();
