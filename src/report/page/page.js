// Draws the game of this page, and steps through it. The page holds the lines of `urtext replay --json`.
"use strict";
const $ = (selector) => document.querySelector(selector);
const [game, ...turns] = $("#lines").textContent.trim().split("\n").map((line) => JSON.parse(line));
const end = turns.pop();
for (const turn of turns) {
  turn.cells = game.start.cells.map((cell) => ({...cell, token: null}));
  for (const {cell, ...token} of turn.tokens) turn.cells[cell].token = token;
}
const {columns: columnNames, rows: rowNames, above: seatAbove} = game.start;
const last = turns.length - 1;
const list = $("#moves");
const slider = $("#slider");
const search = $("#search");

// Elements of HTML and of SVG. A text among their content stays a text.
const elements = (namespace) => (name, attributes, ...content) => {
  const element = document.createElementNS(namespace, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  element.append(...content);
  return element;
};
const html = elements("http://www.w3.org/1999/xhtml");
const svg = elements("http://www.w3.org/2000/svg");

const SEATS = ["first", "second"];
const seatOf = (seat) => SEATS.indexOf(seat);
const numbers = (count) => [...Array(count).keys()];

// The position after a turn in words.
function describe({cells, stocks, to_move: toMove}) {
  const of = (owner) => {
    const onBoard = cells.filter(({token}) => token?.seat === owner);
    const beside = stocks.filter((stock) => stock.owner === owner && stock.items.length > 0);
    return [...onBoard.map(({token, name}) => `${token.label} on ${name}`), ...beside.map(({name, items}) => [name, ...items.map(({label}) => label)].join(" ").trim())].join(", ");
  };
  const players = SEATS.map((seat, number) => `${game.players[number]}${seat === toMove ? ", on turn" : ""}: ${of(seat)}.`);
  const nobodys = of(null);
  return [...players, ...(nobodys ? [`Next to the board: ${nobodys}.`] : [])].join(" ");
}

// Sizes in the units of the drawing.
const CELL = 56;
const ITEM = 50;
const NAMES = 20;

const PETALS = "M0 0c-8-9-6-20 0-24c6 4 8 15 0 24c9-8 20-6 24 0c-4 6-15 8-24 0c8 9 6 20 0 24c-6-4-8-15 0-24c-9 8-20 6-24 0c4-6 15-8 24 0";
const SHAPES = [
  () => [svg("circle", {r: 18}), svg("circle", {r: 14, class: "ring"})],
  () => [svg("path", {d: "M0-23 23 0 0 23-23 0z"}), svg("path", {d: "M0-18 18 0 0 18-18 0z", class: "ring"})],
];
// A circle for the first seat, a diamond for the second.
const shape = (seat) => svg("g", {class: `t${seat}`}, ...SHAPES[seat]());
const rosette = () => svg("g", {class: "r"}, svg("title", {}, "rosette"), svg("path", {d: PETALS}), svg("path", {d: PETALS, transform: "rotate(45)"}));
const cross = () => svg("g", {}, svg("title", {}, "captured"), svg("path", {class: "x", d: "M11-19l8 8m0-8-8 8"}));
const token = (label, owner) => owner < 0 ? [svg("text", {class: "ink", dy: ".35em"}, label)] : [shape(owner), svg("text", {class: `l${owner}`, dy: ".35em"}, label)];

// A card with the cells that it reaches, as its player sees them; the square in the middle is the token.
function card({label, steps}, isAbove) {
  const turn = isAbove ? -9 : 9;
  const reached = (steps ?? []).map(([forward, right]) => `M${right * turn - 4} ${-forward * turn - 4}h8v8h-8z`);
  const lines = numbers(4).map((line) => `M${line * 9 - 13.5}-22.5v45M-22.5 ${line * 9 - 13.5}h45`);
  return [
    svg("path", {class: "c grid", d: `M-22.5-22.5h45v45h-45z${lines.join("")}`}),
    svg("path", {class: "ink", d: "M-4-4h8v8h-8z"}),
    svg("path", {class: "t1 grid", d: reached.join("")}),
    svg("text", {class: "ink card", y: 33}, label),
  ];
}

// A picture with its middle at 0 0: by itself, or at a place of the board.
const picture = (className, content, place = {}, height = ITEM) => svg("svg", {class: className, viewBox: `-25 -25 ${ITEM} ${height}`, ...place}, ...content);

// The cells with what is on them and the marks of the move, as seen from one side.
function drawCells({from, to, captured, reach, cells}) {
  const [columns, rows] = ["column", "row"].map((of) => Math.max(...cells.map((cell) => cell[of])) + 1);
  const turned = (number, count) => isFlipped ? count - 1 - number : number;
  const [left, bottom] = [rowNames.length ? NAMES : 0, rows * CELL];
  const places = cells.map(({column, row}) => ({x: left + turned(column, columns) * CELL + 3, y: turned(row, rows) * CELL + 3, width: ITEM, height: ITEM}));
  const parts = [];
  const text = (x, y, className, content) => parts.push(svg("text", {class: className, x, y, dy: ".35em"}, content));
  rowNames.forEach((name, row) => text(6, turned(row, rows) * CELL + CELL / 2, "k middle", name));
  columnNames.forEach((name, column) => text(left + turned(column, columns) * CELL + CELL / 2, bottom + 10, "k middle", name));
  cells.forEach(({name, kind, owner}, number) => {
    const {x, y} = places[number];
    parts.push(svg("rect", {class: owner ? "c own" : "c", x: x - 2, y: y - 2, width: CELL - 2, height: CELL - 2}));
    if (kind === "rosette") parts.push(picture("rosette", [rosette()], places[number]));
    if (kind.home) parts.push(svg("path", {class: `t${seatOf(kind.home)} home`, d: `M${x + 3} ${y + 47}h44v-6h-44z`}, svg("title", {}, "home")));
    if (!columnNames.length && !rowNames.length && name.length < 4) text(x + 2, y + 6, "k cell", name);
  });
  for (const [mark, place] of [["from", places[from?.cell]], ["to", places[to?.cell]]]) {
    if (place) parts.push(svg("rect", {class: mark, rx: 7, ...place}));
  }
  for (const cell of reach ?? []) parts.push(svg("circle", {class: "reach", cx: places[cell].x + 6, cy: places[cell].y + 44, r: 5}));
  cells.forEach(({token: on}, number) => {
    if (on) parts.push(picture("item", token(on.label, seatOf(on.seat)), places[number]));
  });
  if (captured) parts.push(picture("captured", [cross()], places[to.cell]));
  const [width, height] = [left + columns * CELL, bottom + (columnNames.length ? NAMES : 0)];
  return svg("svg", {viewBox: `0 0 ${width} ${height}`, width: 2 * width, height: 2 * height, preserveAspectRatio: "xMinYMin"}, ...parts);
}

// The position after a turn: each player with the stocks, on the side of the player, and the cells between them.
function drawBoard(turn) {
  const above = isFlipped ? 1 - seatOf(seatAbove) : seatOf(seatAbove);
  const stocks = (kind, owner) => turn.stocks.filter((stock) => stock.owner === owner && stock.kind === kind).map(({name, items}) => {
    const isCard = kind === "cards";
    const shown = (item) => picture("icon", isCard ? card(item, seatOf(owner) === above) : token(item.label, seatOf(owner)), {}, isCard ? 60 : ITEM);
    return html("p", {class: kind}, html("span", {class: "k"}, name), ...items.map(shown));
  });
  const player = (seat) => {
    const onTurn = seatOf(turn.to_move) === seat ? [html("span", {class: "n turn"}, "◀ on turn")] : [];
    const name = html("p", {class: "player"}, picture("icon", [shape(seat)]), html("span", {class: "n"}, game.players[seat]), ...onTurn);
    return html("div", {class: "player"}, name, html("div", {class: "stocks"}, ...stocks("tokens", SEATS[seat])));
  };
  const hands = [SEATS[above], null, SEATS[1 - above]].map((owner) => html("div", {}, ...stocks("cards", owner)));
  const board = $(".board");
  board.setAttribute("aria-label", describe(turn));
  board.replaceChildren(html(
    "div", {"aria-hidden": true},
    player(above),
    html("div", {class: "middle"}, drawCells(turn), html("div", {class: "hands"}, ...hands)),
    ...stocks("tokens", null),
    player(1 - above),
  ));
}

// The table of the turns: the move, the time, and the lines of every lane.
const LARGEST = 240;
const hasTimes = turns.some((turn) => turn.took !== null);
function row(turn) {
  const line = ({text, is_sent: isSent, is_wrong: isWrong}) => {
    const shown = text.length > LARGEST ? `${text.slice(0, LARGEST)}… (${text.length - LARGEST} more characters)` : text;
    return html("p", {class: `${isSent ? "s" : ""} ${isWrong ? "wrong" : ""}`.trim()}, isSent ? `> ${shown}` : shown);
  };
  const lanes = game.lanes.map((_, lane) => turn.lines.filter((shown) => shown.lane === lane).map(line));
  const time = hasTimes ? [[turn.took?.toFixed(2) ?? ""]] : [];
  const cells = [[`${turn.turn}`], [turn.short], ...time, ...lanes];
  return html("tr", {class: `p${seatOf(turn.by)}`}, ...cells.map((cell) => html("td", {}, ...cell)));
}
const rows = turns.map(row);
const heads = ["Turn", "Move", ...(hasTimes ? ["Time"] : []), ...game.lanes];
list.querySelector("thead").append(html("tr", {}, ...heads.map((head) => html("th", {scope: "col"}, head))));
list.querySelector("tbody").append(...rows);

// The turns that keys and buttons look for.
const KINDS = {
  c: {button: "capture", name: "capture", is: (turn) => turns[turn].captured !== null},
  r: {button: "rosette", name: "rosette or extra turn", is: (turn) => turns[turn].plays_again || turns[turn].cells[turns[turn].to?.cell]?.kind === "rosette"},
  s: {button: "skip", name: "skipped turn", is: (turn) => turns[turn].action === "skipped"},
  e: {button: "finding", name: "error or finding", is: (turn) => turns[turn].action === "lost" || turn === last && end.is_bad},
};
// A game offers what it has.
const offered = Object.keys(KINDS).filter((key) => rows.some((_, turn) => KINDS[key].is(turn)));
search.before(...offered.map((key) => html("button", {type: "button", "data-key": key, title: `Next ${KINDS[key].name} (${key})`}, KINDS[key].button)));
$("#kinds").hidden = !offered.length;
$("#kinds th").textContent = offered.join(" ");
$("#kinds td").textContent = `next ${offered.map((key) => KINDS[key].name).join(", ")}`;

// The recorded pauses are kept, up to 2 s; a turn without a time takes 1 s.
const SPEEDS = [10, 25, 50, 100, 200, 400, 800, 1600, 3200];

let at = +slider.value;
let speed = 3;
let timer = 0;
let addressTimer = 0;
let target = null;
let isFlipped = false;

// Scrolls the list alone, never the page.
function scrollToRow(row) {
  const head = list.querySelector("thead").offsetHeight;
  const top = row.offsetTop - list.clientHeight / 2 + row.offsetHeight / 2;
  if (row.offsetTop - head < list.scrollTop || row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top;
}

function draw() {
  drawBoard(turns[at]);
  $("#caption").textContent = turns[at].says;
  $("#moves [aria-current]")?.removeAttribute("aria-current");
  rows[at].setAttribute("aria-current", "true");
  scrollToRow(rows[at]);
  slider.value = at;
  slider.setAttribute("aria-valuetext", `turn ${at} of ${last}`);
  $("#link").href = `#${at}`;
}

function go(turn) {
  at = Math.max(0, Math.min(last, turn));
  draw();
  // Browsers limit how often an address changes. Where a frame forbids it, the page still works.
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => {
    try {
      history.replaceState(null, "", `#${at}`);
    } catch { /* a sandbox without an origin */ }
  }, 300);
}

// Steps by the reader's wish, which ends the playback.
function step(turn) {
  pause();
  go(turn);
}

const say = (text) => { $("#message").textContent = text; };

function offer(sign, label) {
  const play = $("#play");
  play.textContent = sign;
  play.setAttribute("aria-label", label);
}

function pause() {
  clearTimeout(timer);
  timer = 0;
  offer("▸", "Play");
}

function plan() {
  if (at === last) return pause();
  const took = Math.min(turns[at + 1].took ?? 1, 2);
  timer = setTimeout(() => {
    go(at + 1);
    plan();
  }, took * 100000 / SPEEDS[speed]);
}

function playOrPause() {
  if (timer) return pause();
  if (at === last) go(0);
  offer("❚❚", "Pause");
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
function holds({to, says, cells, lines}, text) {
  const moved = cells[to?.cell]?.token?.label ?? "";
  const said = [says.replace(/^\d+\. /, ""), moved, ...lines.map((line) => line.text)];
  return said.some((line) => {
    line = line.toLowerCase();
    return line === text || line.split(/[^\p{L}\p{N}]+/u).includes(text) || text.length > 2 && line.includes(text);
  });
}

function seek(by) {
  if (!target) return say(`nothing to repeat: / searches${offered.length ? `, ${offered.join(" ")} look for turns` : ""}`);
  for (let i = 1; i <= last + 1; i++) {
    const turn = (at + by * i + (last + 1) * 2) % (last + 1);
    if (target.is(turn)) {
      say("");
      return step(turn);
    }
  }
  say(`no ${target.name}`);
}

function lookFor(kind) {
  target = kind;
  seek(1);
}

function lookForText(text) {
  text = text.trim().toLowerCase();
  lookFor(text ? {name: `turn with “${text}”`, is: (turn) => holds(turns[turn], text)} : target);
}

function flip() {
  isFlipped = !isFlipped;
  draw();
}

// Turns forward, by key.
const STEPS = {
  ArrowRight: 1, l: 1, ArrowDown: 1, j: 1, Enter: 1, ArrowLeft: -1, h: -1, ArrowUp: -1, k: -1, Backspace: -1,
  PageDown: 10, PageUp: -10, Home: -Infinity, g: -Infinity, End: Infinity, G: Infinity,
};
const KEYS = {
  n: () => seek(1), N: () => seek(-1), "/": () => search.focus(),
  " ": playOrPause, "+": () => changeSpeed(1), "=": () => changeSpeed(1), "-": () => changeSpeed(-1),
  f: flip, "?": () => $("#keys").showModal(),
};
for (const key in STEPS) KEYS[key] = () => step(at + STEPS[key]);
for (const key in KINDS) KEYS[key] = () => lookFor(KINDS[key]);

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
  const action = KEYS[key];
  if (!action) return;
  event.preventDefault();
  action();
});
search.addEventListener("keydown", (event) => {
  if (event.key === "Enter") lookForText(search.value);
  if (event.key === "Escape") search.blur();
});
document.querySelectorAll("[data-key]").forEach((button) => button.addEventListener("click", () => KEYS[button.dataset.key]()));
$("#keys button").addEventListener("click", () => $("#keys").close());
slider.addEventListener("input", () => step(+slider.value));
list.addEventListener("click", (event) => {
  const row = event.target.closest("tbody tr");
  if (row && getSelection().isCollapsed) step(rows.indexOf(row));
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

// The address as it was entered: by the time of the event, a step just before may have replaced it.
function follow(address) {
  const turn = /#(\d+)$/.exec(address);
  if (turn) step(+turn[1]);
  else draw();
}
addEventListener("hashchange", ({newURL}) => follow(newURL));

$("main").hidden = false;
follow(location.href);
