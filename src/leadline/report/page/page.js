"use strict";
// Everything is in the page already; this only filters, sorts and opens it.
for (const tools of document.querySelectorAll("[data-tools]")) {
  const list = document.querySelector(`[data-list="${tools.dataset.tools}"]`);
  const ranks = tools.dataset.tools === "ranks";
  const items = [...list.querySelectorAll(ranks ? "tbody tr" : "details.question")];
  const homes = items.map((item) => item.parentNode);
  const texts = items.map((item) => item.querySelector(ranks ? "th" : ".ask").textContent.toLowerCase());
  const part = (name) => tools.querySelector(`[data-act="${name}"]`);
  const out = tools.querySelector("output");

  const lost = (cell) => cell.classList.contains("b4");
  const tests = {
    differ: (cells) => new Set(cells.map((cell) => cell.textContent)).size > 1,
    missed: (cells) => cells.some(lost),
    lost: (cells) => cells.every(lost),
  };
  const filter = () => {
    const words = part("find").value.toLowerCase().split(/\s+/).filter(Boolean);
    const test = ranks && tests[part("only").value];
    let shown = 0;
    items.forEach((item, i) => {
      const fits = words.every((word) => texts[i].includes(word)) &&
        (!test || test([...item.querySelectorAll("td")]));
      item.hidden = !fits;
      shown += fits;
    });
    const narrowed = words.length > 0 || Boolean(test);
    out.value = narrowed ? `${shown} of ${items.length}` : "";
    if (narrowed) list.querySelectorAll("details.more").forEach((more) => { more.open = true; });
  };
  const sort = () => {
    const by = part("order").value;
    const rank = (item) => Number(item.querySelectorAll("td")[Number(by)].textContent) || Infinity;
    const key = by === "n" ? (item) => Number(item.dataset.n) : (item) => -rank(item);
    const order = by === "" ? items : items.map((item) => [key(item), item])
      .sort(([a], [b]) => (a === b ? 0 : a - b)).map(([, item]) => item);
    order.forEach((item, i) => homes[i].append(item));
  };

  part("find").addEventListener("input", filter);
  if (ranks) {
    part("only").addEventListener("change", filter);
    part("order").addEventListener("change", sort);
  } else {
    const set = (open) => items.forEach((item) => { if (!item.hidden) item.open = open; });
    part("open").addEventListener("click", () => set(true));
    part("close").addEventListener("click", () => set(false));
  }
  tools.hidden = items.length < 8;
}

// A link to a question opens it.
const reveal = () => {
  const target = /^#q\d+$/.test(location.hash) && document.getElementById(location.hash.slice(1));
  if (target) {
    target.closest("details").open = true;
    target.closest("details").scrollIntoView();
  }
};
addEventListener("hashchange", reveal);
reveal();
