"use strict";
(() => {
  const ready = (root) => {
    for (const node of root.querySelectorAll("button[data-post], [data-form] button, button[data-copy], button[data-choose]"))
      node.disabled = node.hasAttribute("data-blocked") || lost;
    const zone = new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: "short" });
    const both = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
    const offset = new Intl.DateTimeFormat("en", { timeZoneName: "longOffset" });
    for (const node of root.querySelectorAll("time[datetime]")) {
      const moment = new Date(node.dateTime);
      if (isNaN(moment)) continue;
      const format = node.dataset.show === "time" ? zone : both;
      const text = format.format(moment);
      // When an hour repeats, the offset tells which of the two it is.
      const isTwice = [-60, -30, 30, 60].some((minutes) => both.format(+moment + minutes * 60000) === both.format(moment));
      node.textContent = isTwice ? text + " " + offset.formatToParts(moment).find((part) => part.type === "timeZoneName").value : text;
    }
  };
  let lost = false;
  const banner = document.getElementById("lost");
  const connection = (isLost) => {
    if (lost === isLost) return;
    lost = isLost;
    banner.textContent = isLost ? banner.dataset.text : "";
    ready(document);
  };

  // While a change is on its way its own page follows; nothing else may take its place.
  let changing = false;
  // Changes: a header that no form can send, and the version that they were decided on.
  const send = async (address, body, place) => {
    const button = place.button;
    if (button.getAttribute("aria-busy") === "true") return;
    button.setAttribute("aria-busy", "true");
    changing = true;
    // At once it says what it does, and after a while that it still does.
    if (button.dataset.doing) { button.disabled = true; place.result.textContent = button.dataset.doing; }
    const slow = setTimeout(() => { if (button.dataset.slow) place.result.textContent = button.dataset.slow; }, 10000);
    try {
      const answer = await fetch(address, {
        method: "POST", body, redirect: "error",
        headers: { "X-OpenWO": "1", "Content-Type": "application/x-www-form-urlencoded" },
      });
      const text = await answer.text();
      if (answer.ok && text.startsWith("/")) { location.assign(text); return; }
      const found = new DOMParser().parseFromString(text, "text/html").body;
      place.result.replaceChildren(...found.childNodes);
      if (answer.ok) { changing = false; button.removeAttribute("aria-busy"); renew(); }
    } catch { connection(true); }
    clearTimeout(slow);
    changing = false;
    button.removeAttribute("aria-busy");
    if (button.dataset.doing) button.disabled = button.hasAttribute("data-blocked") || lost;
  };
  const result = (node) => {
    let place = (node.closest("form, .decide, section, p") ?? node.parentElement).querySelector(".result");
    if (!place) { place = document.createElement("span"); place.className = "result"; node.after(place); }
    return place;
  };
  document.addEventListener("click", (event) => {
    const copy = event.target.closest("button[data-copy]");
    if (copy) { navigator.clipboard?.writeText(copy.dataset.copy); copy.textContent = "✓"; return; }
    const all = event.target.closest("button[data-choose]");
    if (all) { choose(all.dataset.choose.split("."), all.dataset.side); return; }
    const settings = event.target.closest("a[data-buzz]");
    if (settings) navigator.vibrate?.(10);
    const button = event.target.closest("button[data-post]");
    if (!button || button.disabled) return;
    if (button.dataset.confirm && !button.classList.contains("sure")) {
      const title = button.textContent;
      button.textContent = button.dataset.confirm;
      button.classList.add("sure");
      setTimeout(() => { button.textContent = title; button.classList.remove("sure"); }, 5000);
      return;
    }
    send(button.dataset.post, button.dataset.body, { button, result: result(button) });
  });
  document.addEventListener("submit", (event) => {
    event.preventDefault();
    const form = event.target;
    const fields = new URLSearchParams(new FormData(form));
    if (form.dataset.find) { location.assign(form.dataset.find + "?" + fields); return; }
    const button = form.querySelector("button");
    const body = form.dataset.body + "&" + fields;
    if (!button.disabled) send(form.dataset.form, body, { button, result: result(button) });
  });

  // Sides of conflicts: the address has them, so a reload and the way back keep them; what comes of it is shown before the merge.
  const choose = (places, side) => {
    const address = new URL(location.href), sides = new Map(), list = document.getElementById("choices");
    for (const name of ["ours", "theirs"])
      for (const place of (address.searchParams.get(name) ?? "").split(".").filter(Boolean)) sides.set(place, name);
    for (const place of places) {
      sides.set(place, side);
      for (const input of list.querySelectorAll(`input[data-choice="${CSS.escape(place)}"]`)) input.checked = input.value === side;
    }
    for (const name of ["ours", "theirs"]) {
      const found = [...sides].filter((pair) => pair[1] === name).map((pair) => pair[0]).join(".");
      if (found) address.searchParams.set(name, found); else address.searchParams.delete(name);
    }
    address.searchParams.set("head", list.dataset.head);
    address.searchParams.set("mark", list.dataset.mark);
    history.replaceState(null, "", address);
    for (const button of document.querySelectorAll("#decide button")) button.disabled = true;
    renew();
  };
  document.addEventListener("change", (event) => {
    const input = event.target.closest("input[data-choice]");
    if (input) choose([input.dataset.choice], input.value);
  });

  // A section says by itself that its state is another one, or that a lock has ended; no more than once in five seconds.
  const said = new WeakMap();
  const say = (part, words, isShown) => {
    const place = part.closest("section")?.querySelector(":scope > .result[role=status]");
    if (!place) return;
    const due = (said.get(place) ?? 0) + 5000 - Date.now();
    if (due > 0) { clearTimeout(place.later); place.later = setTimeout(() => say(part, words, isShown), due); return; }
    said.set(place, Date.now());
    const span = document.createElement("span");
    span.textContent = words;
    if (!isShown) span.className = "unseen";
    place.replaceChildren(span);
  };
  const tell = (old, fresh) => {
    const label = (node) => node.querySelector("[data-label].value")?.dataset.label;
    const ends = old.querySelector("[data-ends]")?.dataset.ends;
    if (ends && !fresh.querySelector("[data-ends]")) say(fresh, ends, true);
    else if (label(old) && label(fresh) && label(old) !== label(fresh)) say(fresh, label(fresh), false);
  };

  // What is new is taken from the same page, part by part, unless somebody types there.
  let asking = false, again = false;
  const renew = async () => {
    if (asking || changing) { again = asking; return; }
    asking = true;
    try {
      const address = new URL(location.href);
      address.searchParams.delete("done");
      const answer = await fetch(address, { redirect: "error" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (changing) { asking = false; return; }
      document.body.dataset.events = page.body.dataset.events;
      const parts = [...document.querySelectorAll("[data-live]")];
      if (parts.some((part) => !page.getElementById(part.id))) { if (!document.querySelector("input:not([type=radio]):focus")) location.reload(); }
      for (const part of parts) {
        const fresh = page.getElementById(part.id);
        if (!fresh || part.contains(document.querySelector("input:focus, .sure, [aria-busy=true]"))) continue;
        if (part.dataset.seen === fresh.outerHTML) continue;
        const open = [...part.querySelectorAll("details")].map((node) => node.open);
        const focus = part.contains(document.activeElement) ? [...part.querySelectorAll("a, button, summary")].indexOf(document.activeElement) : -1;
        const seen = fresh.outerHTML;
        fresh.querySelectorAll("details").forEach((node, index) => { node.open = open[index] ?? false; });
        const kept = document.adoptNode(fresh);
        kept.dataset.seen = seen;
        part.replaceWith(kept);
        tell(part, kept);
        ready(kept);
        fill(kept);
        if (focus >= 0) kept.querySelectorAll("a, button, summary")[focus]?.focus();
      }
    } catch { /* the stream tells */ }
    asking = false;
    if (again) { again = false; renew(); }
  };
  const fill = async (root) => {
    for (const node of root.querySelectorAll("[data-fetch]")) {
      try {
        const answer = await fetch(node.dataset.fetch, { redirect: "error" });
        if (!answer.ok) continue;
        const found = new DOMParser().parseFromString(await answer.text(), "text/html").body;
        node.replaceWith(...found.childNodes);
      } catch { return; }
    }
  };

  ready(document);
  fill(document);
  document.querySelector("[data-focus]")?.focus();
  // A browser has few connections to one server: a page that nobody sees gives up its own.
  let heard = Date.now(), stream = null;
  const follow = () => {
    if (stream || document.hidden) return;
    stream = new EventSource(document.body.dataset.events);
    const hear = () => { heard = Date.now(); connection(false); };
    stream.addEventListener("open", hear);
    stream.addEventListener("beat", hear);
    stream.addEventListener("change", () => { hear(); renew(); });
    stream.addEventListener("error", () => connection(true));
  };
  const rest = () => { stream?.close(); stream = null; };
  follow();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) { rest(); return; }
    heard = Date.now();
    follow();
    renew();
  });
  addEventListener("pagehide", rest);
  addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  setInterval(() => { if (stream && Date.now() - heard > 30000) connection(true); }, 5000);
})();
