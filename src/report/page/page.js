// Steps through the game. The moves, the lines and the first position are in the page; this reads what changes from turn to turn.
"use strict";
const $ = (selector) => document.querySelector(selector);
const data = JSON.parse($("#data").textContent);
const last = data.turns.length - 1;
const rows = [...$("#moves tbody").rows];
const boards = [...document.querySelectorAll(".board")];
const list = $("#moves");
const slider = $("#slider");
const search = $("#search");
const root = document.documentElement;

// The recorded pauses are kept, up to 2 s; a turn without a time takes 1 s.
const SPEEDS = [10, 25, 50, 100, 200, 400, 800, 1600, 3200];
const KINDS = {c: "capture", r: "rosette or extra turn", s: "skipped turn", e: "error or finding"};
const PAGE = 10;

let at = +slider.value;
let speed = 3;
let timer = 0;
let addressTimer = 0;
let target = null;
let digits = "";

// The items of all places after each turn, on the board from this side and from the other.
const positions = [0, 1].map((side) => {
  let shown = data.places.map(() => 0);
  return data.turns.map((turn) => {
    shown = shown.slice();
    const changes = turn[6][side] || turn[6][0];
    for (let i = 0; i < changes.length; i += 2) shown[changes[i]] = changes[i + 1];
    return shown;
  });
});

const svg = (name, attributes) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  return element;
};
const mark = (board, name) => board.querySelector(`[data-mark=${name}]`);
const show = (element, isShown) => isShown ? element.removeAttribute("visibility") : element.setAttribute("visibility", "hidden");

const middle = mark(boards[1], "items");
data.other.forEach(([x, y, side]) => middle.append(svg("use", {x, y, width: side, height: side})));

// The sentence of a turn: its text is shared, its numbers are its own.
const sentence = (turn) => {
  const numbers = data.turns[turn][8].split(",");
  const text = data.texts[data.turns[turn][7]].map((part, i) => part + (numbers[i] ?? "")).join("");
  return turn ? `${turn}. ${text}` : text;
};

// The position in words, as the page has it for its first position.
const describe = (turn) => [0, 1, 2].map((owner) => {
  const parts = [];
  let stockBefore = null;
  positions[0][turn].forEach((item, place) => {
    if (!item) return;
    const [label, seat] = data.items[item - 1];
    const [name, stock] = data.places[place];
    if ((stock < 0 ? seat : stock) !== owner) return;
    if (stock < 0) parts.push(`${label} on ${name}`);
    else if (name === stockBefore) parts[parts.length - 1] += ` ${label}`;
    else parts.push(`${name} ${label}`.trim());
    stockBefore = stock < 0 ? null : name;
  });
  if (owner > 1) return parts.length ? `Next to the board: ${parts.join(", ")}.` : "";
  const turnMark = data.turns[turn][2] === owner ? ", on turn" : "";
  return `${data.players[owner]}${turnMark}: ${parts.join(", ")}.`;
}).join(" ").trim();

function drawBoard(board, side) {
  const [kinds, , toMove, from, to, reach] = data.turns[at];
  const places = mark(board, "items").children;
  positions[side][at].forEach((item, place) => {
    if (item) places[place].setAttribute("href", `#i${item}`);
    else places[place].removeAttribute("href");
  });
  const moveTo = (name, place, isShown) => {
    const element = mark(board, name);
    show(element, isShown);
    if (!isShown) return;
    for (const key of ["x", "y"]) element.setAttribute(key, places[place].getAttribute(key));
  };
  moveTo("from", from, from >= 0);
  moveTo("to", to, to >= 0);
  moveTo("captured", to, kinds & 1);
  board.querySelectorAll("[data-turn]").forEach((element) => show(element, +element.dataset.turn === toMove));
  mark(board, "reach").replaceChildren(...reach.map((place) => svg("circle", {
    cx: +places[place].getAttribute("x") + 6, cy: +places[place].getAttribute("y") + 44, r: 5,
  })));
  board.setAttribute("aria-label", describe(at));
}

// Scrolls the list alone, never the page.
function scrollToRow(row) {
  const head = list.querySelector("thead").offsetHeight;
  const top = row.offsetTop - list.clientHeight / 2 + row.offsetHeight / 2;
  if (row.offsetTop - head < list.scrollTop || row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top;
}

function draw() {
  boards.forEach(drawBoard);
  $("#caption").textContent = sentence(at);
  $("#moves .on")?.classList.remove("on");
  $("#moves [aria-current]")?.removeAttribute("aria-current");
  rows[at].classList.add("on");
  rows[at].setAttribute("aria-current", "true");
  scrollToRow(rows[at]);
  slider.value = at;
  slider.setAttribute("aria-valuetext", `turn ${at} of ${last}`);
  $("#link").href = `#${at}`;
}

// A jump is an entry of the browser's history; steps change the entry. Where a frame forbids both, the page still works.
function address(isJump) {
  clearTimeout(addressTimer);
  const write = () => {
    try {
      history[isJump ? "pushState" : "replaceState"](null, "", `#${at}`);
    } catch { /* a sandbox without an origin */ }
  };
  if (isJump) write();
  else addressTimer = setTimeout(write, 300);
}

function go(turn, isJump) {
  const next = Math.max(0, Math.min(last, turn));
  if (next === at) return;
  at = next;
  draw();
  address(isJump);
}

// Steps by the reader's wish, which ends the playback.
function step(turn, isJump) {
  pause();
  go(turn, isJump);
}

const say = (text) => { $("#message").textContent = text; };

function pause() {
  clearTimeout(timer);
  timer = 0;
  const play = $("#play");
  play.textContent = "▸";
  play.setAttribute("aria-label", "Play");
}

function plan() {
  if (at === last) return pause();
  const time = $("#time") && rows[at + 1].cells[2].textContent;
  const took = time ? Math.min(+time, 2) : 1;
  timer = setTimeout(() => {
    go(at + 1);
    plan();
  }, took * 100000 / SPEEDS[speed]);
}

function playOrPause() {
  if (timer) return pause();
  if (at === last) go(0);
  $("#play").textContent = "❚❚";
  $("#play").setAttribute("aria-label", "Pause");
  plan();
}

function changeSpeed(by) {
  speed = Math.max(0, Math.min(SPEEDS.length - 1, speed + by));
  $("#speed").textContent = `${SPEEDS[speed]} %`;
  if (!timer) return;
  clearTimeout(timer);
  plan();
}

// A word, or a part of one if it is long enough.
function holds(turn, text) {
  const lines = [...rows[turn].querySelectorAll("p")];
  const said = [sentence(turn).replace(/^\d+\. /, ""), ...lines.map((line) => line.textContent.slice(line.className ? 2 : 0))];
  const to = data.turns[turn][4];
  if (to >= 0) said.push(data.items[positions[0][turn][to] - 1]?.[0] ?? "");
  return said.some((line) => {
    line = line.toLowerCase();
    return line === text || line.split(/[^\p{L}\p{N}]+/u).includes(text) || text.length > 2 && line.includes(text);
  });
}

function seek(by) {
  if (!target) return say("nothing to repeat: / searches, c r s e look for turns");
  for (let i = 1; i <= last + 1; i++) {
    const turn = (at + by * i + (last + 1) * 2) % (last + 1);
    if (target.is(turn)) {
      say("");
      return step(turn, true);
    }
  }
  say(`no ${target.name}`);
}

function lookFor(key) {
  const bit = 1 << "crse".indexOf(key);
  target = {name: KINDS[key], is: (turn) => data.turns[turn][0] & bit};
  seek(1);
}

function lookForText(text) {
  text = text.trim().toLowerCase();
  if (text) target = {name: `turn with “${text}”`, is: (turn) => holds(turn, text)};
  seek(1);
}

function typeDigit(digit) {
  digits = (digits + digit).slice(-7);
  say(`go to ${digits}, then Enter`);
}

function enter() {
  if (!digits) return step(at + 1);
  const turn = +digits;
  digits = "";
  say(turn > last ? `there is no turn ${turn}` : "");
  if (turn <= last) step(turn, true);
}

function changeTheme() {
  const isDark = root.classList.contains("dark") || !root.classList.contains("light") && matchMedia("(prefers-color-scheme:dark)").matches;
  root.classList.toggle("dark", !isDark);
  root.classList.toggle("light", isDark);
}

const flip = () => boards.forEach((board) => board.toggleAttribute("hidden"));

const KEYS = {
  ArrowRight: () => step(at + 1), l: () => step(at + 1), ArrowDown: () => step(at + 1), j: () => step(at + 1),
  ArrowLeft: () => step(at - 1), h: () => step(at - 1), ArrowUp: () => step(at - 1), k: () => step(at - 1), Backspace: () => step(at - 1),
  PageDown: () => step(at + PAGE), PageUp: () => step(at - PAGE),
  Home: () => step(0, true), g: () => step(0, true), End: () => step(last, true), G: () => step(last, true),
  Enter: enter, c: lookFor, r: lookFor, s: lookFor, e: lookFor,
  n: () => seek(1), N: () => seek(-1), "/": () => search.focus(),
  " ": playOrPause, "+": () => changeSpeed(1), "=": () => changeSpeed(1), "-": () => changeSpeed(-1),
  f: flip, d: changeTheme, "?": () => $("#keys").showModal(),
};

// Keys that an element of the page needs itself.
function isTaken(element, key) {
  if ($("#keys").open) return true;
  if (element === search) return true;
  if (element === slider) return /^(Arrow|Page|Home|End)/.test(key);
  return /^(BUTTON|A|SUMMARY)$/.test(element.tagName) && (key === " " || key === "Enter");
}

document.addEventListener("keydown", (event) => {
  const {key, target: element} = event;
  if (event.ctrlKey || event.metaKey || event.altKey || isTaken(element, key)) return;
  if (/^\d$/.test(key)) return typeDigit(key);
  const action = KEYS[key];
  if (!action) return;
  event.preventDefault();
  if (key !== "Enter") digits = "";
  action(key);
});
search.addEventListener("keydown", (event) => {
  if (event.key === "Enter") lookForText(search.value);
  if (event.key === "Escape") search.blur();
});
document.querySelectorAll("[data-key]").forEach((button) => button.addEventListener("click", () => KEYS[button.dataset.key](button.dataset.key)));
$("#keys button").addEventListener("click", () => $("#keys").close());
slider.addEventListener("input", () => step(+slider.value));
list.addEventListener("click", (event) => {
  const row = event.target.closest("tbody tr");
  if (row && getSelection().isCollapsed) step(rows.indexOf(row), true);
});

// A swipe over the board: to the left is forward.
let touch = null;
$("#game").addEventListener("touchstart", ({touches}) => { touch = touches.length === 1 && touches[0]; }, {passive: true});
$("#game").addEventListener("touchend", ({changedTouches, target: element}) => {
  if (!touch || !element.closest(".board")) return;
  const x = changedTouches[0].clientX - touch.clientX;
  const y = changedTouches[0].clientY - touch.clientY;
  if (Math.abs(x) > 30 && Math.abs(x) > 2 * Math.abs(y)) step(at - Math.sign(x));
}, {passive: true});

function follow() {
  const turn = /^#(\d+)$/.exec(location.hash);
  if (turn) {
    pause();
    at = Math.min(last, +turn[1]);
  }
  draw();
}
addEventListener("hashchange", follow);

// Without their names the browser does not scroll the page to the rows: the board stays in sight.
rows.forEach((row, turn) => {
  row.classList.add(`p${data.turns[turn][1]}`);
  row.removeAttribute("id");
});
scrollTo(0, 0);
root.classList.add("run");
$("#controls").hidden = false;
follow();
